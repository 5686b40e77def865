use super::*;
use crate::bench::tests::result;

fn render_text(template: &str, results: &[BenchResult]) -> Result<String, String> {
    let mut out = Vec::new();
    render(template, results, &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

/// Two results: one of three epochs with counters, one of a single epoch. Their times have no
/// rounding errors: 0.5, 0.25 and 1.5 s.
fn two() -> [BenchResult; 2] {
    let mut first = result("x += x", &[(2, 5e8), (4, 2.5e8), (3, 1.5e9)]);
    first.counters = [Some(0.5), Some(40.0), Some(0.25), Some(80.0), Some(16.0), Some(2.0)];
    first.settings.title = "First".into();
    first.settings.context = vec![("cpu (model)".into(), "6 \"fast\"".into())];
    first.settings.complexity_n = Some(1e3);
    first.settings.batch = 2.5;
    first.settings.relative = true;
    [first, result("<b>", &[(1, 1.0)])]
}

#[test]
fn every_tag_of_a_result_has_its_value() {
    let [first, _] = two();
    let tags = [
        ("title", "First"),
        ("name", "x += x"),
        ("unit", "op"),
        ("batch", "2.5"),
        ("complexityN", "1000"),
        ("epochs", "11"),
        ("clockResolution", "2e-8"),
        ("clockResolutionMultiple", "1000"),
        ("maxEpochTime", "0.1"),
        ("minEpochTime", "0.001"),
        ("minEpochIterations", "1"),
        ("epochIterations", "0"),
        ("warmup", "0"),
        ("relative", "true"),
        ("context(cpu (model))", "6 \"fast\""),
        ("median(elapsed)", "0.5"),
        // (0.5 + 0.25 + 1.5) / 3
        ("average(elapsed)", "0.75"),
        // |0.5 - 0.5| / 0.5, |0.25 - 0.5| / 0.25, |1.5 - 0.5| / 1.5: 0, 1, 2/3.
        ("medianAbsolutePercentError(elapsed)", "0.6666666666666666"),
        ("standardDeviation(elapsed)", "0.6614378277661477"),
        ("sum(elapsed)", "2.25"),
        ("sum(iterations)", "9"),
        ("minimum(elapsed)", "0.25"),
        ("maximum(elapsed)", "1.5"),
        // 2 x 0.5 + 4 x 0.25 + 3 x 1.5
        ("sumProduct(iterations, elapsed)", "6.5"),
        ("sumProduct( elapsed ,iterations )", "6.5"),
        // 4 + 16 + 9
        ("sumProduct(iterations,iterations)", "29"),
        // Counters have the same value in each epoch: 3 x 0.5 x 40.
        ("sumProduct(pagefaults, cpucycles)", "60"),
        ("median(iterations)", "3"),
        ("median(pagefaults)", "0.5"),
        ("median(cpucycles)", "40"),
        ("median(contextswitches)", "0.25"),
        ("median(instructions)", "80"),
        ("average(branchinstructions)", "16"),
        ("maximum(branchmisses)", "2"),
        ("json(context(cpu (model)))", "\"6 \\\"fast\\\"\""),
        ("csv(context(cpu (model)))", "\"6 \"\"fast\"\"\""),
        ("html(context(cpu (model)))", "6 &quot;fast&quot;"),
    ];
    for (tag, expected) in tags {
        let one = std::slice::from_ref(&first);
        for template in [format!("{{{{{tag}}}}}"), format!("{{{{#result}}}}{{{{ {tag} }}}}{{{{/result}}}}")] {
            let value = render_text(&template, one).unwrap();
            assert_eq!(value, expected, "{template}");
        }
    }
}

#[test]
fn every_function_takes_every_measure() {
    // The order of the rows: median, average, medianAbsolutePercentError, sum, minimum, maximum.
    let expected = [
        ("elapsed", "0.5 0.75 0.6666666666666666 2.25 0.25 1.5"),
        // |2 - 3| / 2, |4 - 3| / 4, |3 - 3| / 3: 0.5, 0.25, 0.
        ("iterations", "3 3 0.25 9 2 4"),
        ("pagefaults", "0.5 0.5 0 1.5 0.5 0.5"),
        ("cpucycles", "40 40 0 120 40 40"),
        ("contextswitches", "0.25 0.25 0 0.75 0.25 0.25"),
        ("instructions", "80 80 0 240 80 80"),
        ("branchinstructions", "16 16 0 48 16 16"),
        ("branchmisses", "2 2 0 6 2 2"),
    ];
    for (measure, expected) in expected {
        let functions = ["median", "average", "medianAbsolutePercentError", "sum", "minimum", "maximum"];
        let tags = functions.map(|function| format!("{{{{{function}({measure})}}}}")).join(" ");
        let first = std::slice::from_ref(&two()[0]).to_vec();
        assert_eq!(render_text(&tags, &first).as_deref(), Ok(expected), "{measure}");
    }
}

#[test]
fn every_measure_is_a_tag_of_a_measurement() {
    let [first, second] = two();
    let template = "{{#measurement}}{{elapsed}} {{iterations}} {{pagefaults}} {{cpucycles}} {{contextswitches}} \
                    {{instructions}} {{branchinstructions}} {{branchmisses}} {{name}};{{/measurement}}";
    let expected = "0.5 2 0.5 40 0.25 80 16 2 x += x;0.25 4 0.5 40 0.25 80 16 2 x += x;\
                    1.5 3 0.5 40 0.25 80 16 2 x += x;";
    assert_eq!(render_text(template, &[first]).as_deref(), Ok(expected));
    assert_eq!(render_text(template, &[second]).as_deref(), Ok("1e-9 1 0 0 0 0 0 0 <b>;"));
}

#[test]
fn layers_have_first_and_last_entries() {
    let template = "[{{#result}}{{#-first}}F{{/-first}}{{^-first}}f{{/-first}}{{name}}\
                    ({{#measurement}}{{iterations}}{{^-last}},{{/-last}}{{#-last}}.{{/-last}}{{/measurement}})\
                    {{^-last}}; {{/-last}}{{#-last}}L{{/-last}}{{/result}}]";
    assert_eq!(render_text(template, &two()).as_deref(), Ok("[Fx += x(2,4,3.); f<b>(1.)L]"));
    assert_eq!(render_text(template, &[]).as_deref(), Ok("[]"));
    let all_but = "{{#result}}{{^-first}}{{^-last}}{{name}}{{/-last}}{{/-first}}{{/result}}";
    assert_eq!(render_text(all_but, &two()).as_deref(), Ok(""));
}

#[test]
fn idioms_of_the_cpp_templates_render() {
    let template = "{{#result}}{{name}}:{{#measurement}} {{elapsed}}{{^-last}},{{/last}}{{/measurement}}\
                    {{#-first}};{{/first}}{{/result}} '{{title}}' {{json(name)}} {{batch}} {{relative}}";
    let expected = "x += x: 0.5, 0.25, 1.5;<b>: 1e-9 'benchmark' \"\\u003cb\\u003e\" 1 false";
    assert_eq!(render_text(template, &two()).as_deref(), Ok(expected));
    assert!(render_text("{{title}}", &[]).is_err());
}

#[test]
fn times_have_units() {
    let template = "{{#measurement}}{{elapsedms}} {{/measurement}}{{median(elapsedus)}} {{sum(elapsedns)}} \
                    {{medianAbsolutePercentError(elapsedms)}} {{sumProduct(iterations, elapsedms)}}";
    let first = std::slice::from_ref(&two()[0]).to_vec();
    let expected = "500 250 1500 500000 2250000000 0.6666666666666666 6500";
    assert_eq!(render_text(template, &first).as_deref(), Ok(expected));
}

#[test]
fn text_is_copied_as_it_is() {
    let text = "  a } }} {x}\r\n\n é \u{0} ";
    assert_eq!(render_text(text, &[]).as_deref(), Ok(text));
}

#[test]
fn mistakes_have_a_place_and_write_nothing() {
    let mistakes = [
        ("a\né{{#result}}", "line 2, column 2: the section `result` has no end"),
        ("{{/result}}", "line 1, column 1: no section `result` is open here"),
        ("{{#result}}\n{{#measurement}}{{/result}}", "line 2, column 17: expected the end of `measurement`"),
        ("{{#results}}", "line 1, column 1: there is no section `results`"),
        ("{{^result}}{{/result}}", "`result` can't be inverted"),
        ("{{#-first}}{{/-first}}", "`-first` must be within `result` or `measurement`"),
        ("{{#result}}{{#result}}", "column 12: `result` can't be within itself"),
        ("{{#measurement}}{{#result}}", "`result` can't be within `measurement`"),
        ("x {{name", "line 1, column 3: `{{` has no `}}`"),
        ("{{#result}}{{nome}}{{/result}}", "column 12: there is no tag `nome`"),
        ("{{#result}}{{}}{{/result}}", "column 12: there is no tag ``"),
        ("{{#result}}{{elapsed}}{{/result}}", "`elapsed` must be within `{{#measurement}}`"),
        ("{{#result}}{{median(time)}}{{/result}}", "there is no measure `time`"),
        ("{{#result}}{{mean(elapsed)}}{{/result}}", "there is no function `mean`"),
        ("{{#result}}{{median(elapsed}}{{/result}}", "`median(elapsed` has no `)` at its end"),
        ("{{#result}}{{sumProduct(elapsed)}}{{/result}}", "`sumProduct` takes two measures"),
        ("{{#result}}{{context(gpu)}}{{/result}}", "there is no context `gpu`"),
        ("{{#result}}{{#-last}}{{/-first}}", "expected the end of `-last`, not of `-first`"),
        ("{{median(elapsed)}}", "needs a single result, but there are 2"),
        ("{{#measurement}}{{/measurement}}", "needs a single result, but there are 2"),
        ("{{a\u{1b}}}", "there is no tag `a\\u{1b}`"),
    ];
    for (template, expected) in mistakes {
        let mut out = Vec::new();
        let error = render(template, &two(), &mut out).unwrap_err().to_string();
        assert!(error.starts_with("template, line ") && error.contains(expected), "{template}: {error}");
        assert!(out.is_empty() && !error.contains('\u{1b}'));
    }
    let nested = "{{#-first}}".repeat(100_000);
    assert!(
        render_text(&format!("{{{{#result}}}}{nested}"), &two()).is_err_and(|why| why.contains("too many"))
    );
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "</script>\"';,\r\n\u{1b}]\\ {{name}} <!--";
    let results = [result(hostile, &[(1, 1.0)])];
    let json: serde_json::Value = serde_json::from_str(&render_text(JSON, &results).unwrap()).unwrap();
    assert_eq!(json["results"][0]["name"], hostile);
    let page = render_text(HTML_BOX_PLOT, &results).unwrap();
    assert_eq!(page.matches("</script>").count(), 1);
    let csv = render_text(CSV, &results).unwrap();
    assert!(csv.contains(&format!("\"{}\"", hostile.replace('"', "\"\""))), "{csv}");
    let csv = render_text(CSV, &[result("=1+1", &[(1, 1.0)])]).unwrap();
    assert!(csv.contains("\"'=1+1\""), "{csv}");
}

#[test]
fn the_json_template_has_all_that_was_measured() {
    let text = render_text(JSON, &two()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let [first, second] = json["results"].as_array().unwrap().as_slice() else { panic!("{text}") };
    assert_eq!(
        (&first["title"], &first["complexityN"], &second["complexityN"]),
        (&"First".into(), &1_000.into(), &(-1).into())
    );
    assert_eq!(first["measurements"].as_array().unwrap().len(), 3);
    assert_eq!(first["measurements"][2]["elapsed"], 1.5);
    assert_eq!(first["totalTime"], 6.5);
}

#[test]
fn the_csv_template_has_a_line_for_each_result() {
    let expected = "\
\"title\";\"name\";\"unit\";\"batch\";\"elapsed\";\"error %\";\"instructions\";\"branches\";\"branch misses\";\"total\"
\"First\";\"x += x\";\"op\";2.5;0.5;0.6666666666666666;80;16;2;6.5
\"benchmark\";\"<b>\";\"op\";1;1e-9;0;0;0;0;1e-9
";
    assert_eq!(render_text(CSV, &two()).as_deref(), Ok(expected));
}

#[test]
fn the_pyperf_template_has_as_many_values_and_their_loops() {
    let of = |results: &[BenchResult]| -> serde_json::Value {
        serde_json::from_str(&render_text(PYPERF, results).unwrap()).unwrap()
    };
    let json = of(&two());
    // Per operation, of which an iteration has 2.5.
    assert_eq!(json["benchmarks"][0]["runs"][0]["values"], serde_json::json!([0.2, 0.1, 0.6]));
    // 9 iterations in three parts.
    assert_eq!(json["benchmarks"][0]["metadata"]["loops"], 7);
    assert_eq!(json["benchmarks"][1]["metadata"]["name"], "<b>");
    assert_eq!(json["version"], "1.0");
    for epochs in [11, 60] {
        let json = of(&[result("a", &vec![(1_000, 0.0); epochs])]);
        let values = json["benchmarks"][0]["runs"][0]["values"].as_array().unwrap();
        assert!(values.len() == 10 && values.iter().all(|value| value.as_f64() > Some(0.0)), "{json}");
    }
}

#[test]
fn the_box_plot_has_the_time_of_an_operation() {
    let page = render_text(HTML_BOX_PLOT, &two()).unwrap();
    assert!(page.contains("times: [0.5 / 2.5, 0.25 / 2.5, 1.5 / 2.5]}"), "{page}");
}
