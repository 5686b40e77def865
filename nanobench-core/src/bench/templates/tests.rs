use super::*;
use crate::bench::tests::result;

fn render_text(template: &str, results: &[BenchResult]) -> Result<String, String> {
    let mut out = Vec::new();
    render(template, results, &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

/// Two results: one of three epochs with counters, one of a single epoch.
fn two() -> [BenchResult; 2] {
    let mut first = result("x += x", &[(2, 20.0), (4, 10.0), (3, 60.0)]);
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
        // Times in ns: 20, 10, 60.
        ("median(elapsed)", "2e-8"),
        ("average(elapsed)", "3e-8"),
        // |20-20|/20, |10-20|/10, |60-20|/60: 0, 1, 2/3.
        ("medianAbsolutePercentError(elapsed)", "0.6666666666666666"),
        ("sum(iterations)", "9"),
        ("minimum(elapsed)", "1e-8"),
        ("maximum(elapsed)", "6e-8"),
        // 2 x 20 + 4 x 10 + 3 x 60 = 260.
        ("sumProduct(iterations, elapsed)", "2.6e-7"),
        ("sumProduct( elapsed ,iterations )", "2.6e-7"),
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
            let is_close = |value: f64, expected: f64| (value / expected - 1.0).abs() < 1e-12;
            let is_equal = match (value.parse(), expected.parse()) {
                (Ok(value), Ok(expected)) if value != expected => is_close(value, expected),
                _ => value == expected,
            };
            assert!(is_equal, "{template}: {value}");
        }
    }
}

#[test]
fn every_measure_is_a_tag_of_a_measurement() {
    let [first, second] = two();
    let template = "{{#measurement}}{{elapsed}} {{iterations}} {{pagefaults}} {{cpucycles}} {{contextswitches}} \
                    {{instructions}} {{branchinstructions}} {{branchmisses}} {{name}};{{/measurement}}";
    let expected = "2e-8 2 0.5 40 0.25 80 16 2 x += x;1e-8 4 0.5 40 0.25 80 16 2 x += x;\
                    6e-8 3 0.5 40 0.25 80 16 2 x += x;";
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
        ("{{name}}", "needs a single result, but there are 2"),
        ("{{a\u{1b}}}", "needs a single result"),
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
    assert_eq!(first["measurements"][2]["elapsed"], 6e-8);
    assert!((first["totalTime"].as_f64().unwrap() - 2.6e-7).abs() < 1e-18);
}

#[test]
fn the_csv_template_has_a_line_for_each_result() {
    let expected = "\
\"title\";\"name\";\"unit\";\"batch\";\"elapsed\";\"error %\";\"instructions\";\"branches\";\"branch misses\";\"total\"
\"First\";\"x += x\";\"op\";2.5;2e-8;0.6666666666666666;80;16;2;2.5999999999999995e-7
\"benchmark\";\"<b>\";\"op\";1;1e-9;0;0;0;0;1e-9
";
    assert_eq!(render_text(CSV, &two()).as_deref(), Ok(expected));
}

#[test]
fn the_pyperf_template_has_the_values_in_seconds() {
    let json: serde_json::Value = serde_json::from_str(&render_text(PYPERF, &two()).unwrap()).unwrap();
    assert_eq!(json["benchmarks"][0]["runs"][0]["values"], serde_json::json!([2e-8, 1e-8, 6e-8]));
    assert_eq!(json["benchmarks"][1]["metadata"]["name"], "<b>");
    assert_eq!(json["version"], "1.0");
}
