/* A program in Wine that stands for a native one of its name: `cargo.exe`. It leaves its name, folder and arguments in
   the folder `NATIVE`, from which tests/wine/serve takes them, and repeats the output and the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static const char *file(const char *kind) {
    static char path[2][MAX_PATH];
    static int next;
    char *result = path[next ^= 1];
    snprintf(result, MAX_PATH, "%s\\%lu.%s", getenv("NATIVE"), GetCurrentProcessId(), kind);
    return result;
}

static void print(const char *kind, FILE *to) {
    FILE *from = fopen(file(kind), "rb");
    if (!from) exit(99);
    for (int byte; (byte = getc(from)) != EOF;) putc(byte, to);
    fclose(from);
    DeleteFileA(file(kind));
}

int main(int count, char **arguments) {
    char folder[MAX_PATH];
    GetCurrentDirectoryA(sizeof folder, folder);
    FILE *request = fopen(file("new"), "wb");
    if (!request) return 99;
    fprintf(request, "%s\n%s\n", arguments[0], folder);
    for (int i = 1; i < count; i++) fprintf(request, "%s\n", arguments[i]);
    fclose(request);
    MoveFileA(file("new"), file("request"));
    FILE *done;
    while (!(done = fopen(file("done"), "rb"))) Sleep(10);
    int code = 99;
    fscanf(done, "%d", &code);
    fclose(done);
    DeleteFileA(file("done"));
    print("stdout", stdout);
    print("stderr", stderr);
    return code;
}
