// An EGL implementation that supports nothing, as a vendor library for libglvnd.
//
// WebKit opens an EGL display in each of its processes and ends a web process that gets none. With compositing off, WebKit never
// draws with it. But Mesa, the implementation on most machines, loads LLVM, which takes 40 MB per process and 50 ms at start.
// This library provides a display without configurations, so any attempt to draw gets an error.

#include <stddef.h>
#include <string.h>

#include <EGL/egl.h>
#include <glvnd/libeglabi.h>

// The platforms that WebKit uses: Xlib's in the host's process, none in a web process.
#define PLATFORMS "EGL_EXT_platform_x11 EGL_MESA_platform_surfaceless"
// Uses the extension's function, because libepoxy does not find EGL 1.5's and ends the program.
#define CLIENT_EXTENSIONS "EGL_EXT_client_extensions EGL_EXT_platform_base " PLATFORMS

// There is one display, and it has no state: any number of threads may use it.
static int display;
static _Thread_local EGLint last_error = EGL_SUCCESS;

static EGLint get_error(void)
{
    EGLint error = last_error;
    last_error = EGL_SUCCESS;
    return error;
}

static EGLBoolean succeed(void)
{
    last_error = EGL_SUCCESS;
    return EGL_TRUE;
}

// Replaces every function that would need a configuration, a surface or a context. Null and false look the same to their
// callers.
static void *refuse(void)
{
    last_error = EGL_BAD_CONFIG;
    return NULL;
}

static EGLBoolean initialize(EGLDisplay of, EGLint *major, EGLint *minor)
{
    (void)of;
    if (major) *major = 1;
    if (minor) *minor = 5;
    return succeed();
}

static const char *query_string(EGLDisplay of, EGLint name)
{
    switch (name) {
    case EGL_VERSION: return "1.5";
    case EGL_VENDOR: return "Offstage";
    case EGL_CLIENT_APIS: return "OpenGL_ES";
    case EGL_EXTENSIONS: return of == EGL_NO_DISPLAY ? CLIENT_EXTENSIONS : "";
    }
    last_error = EGL_BAD_PARAMETER;
    return NULL;
}

static EGLBoolean no_configs(EGLDisplay of, EGLConfig *configs, EGLint size, EGLint *count)
{
    (void)of, (void)configs, (void)size;
    if (count) *count = 0;
    return succeed();
}

static EGLBoolean choose_none(
    EGLDisplay of, const EGLint *attributes, EGLConfig *configs, EGLint size, EGLint *count)
{
    (void)attributes;
    return no_configs(of, configs, size, count);
}

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"eglBindAPI", succeed},
    {"eglChooseConfig", choose_none},
    {"eglGetConfigs", no_configs},
    {"eglGetError", get_error},
    {"eglInitialize", initialize},
    {"eglMakeCurrent", succeed},
    {"eglQueryString", query_string},
    {"eglReleaseThread", succeed},
    {"eglTerminate", succeed},
    // libglvnd needs all functions of EGL 1.4.
    {"eglBindTexImage", refuse},
    {"eglCopyBuffers", refuse},
    {"eglCreateContext", refuse},
    {"eglCreatePbufferFromClientBuffer", refuse},
    {"eglCreatePbufferSurface", refuse},
    {"eglCreatePixmapSurface", refuse},
    {"eglCreateWindowSurface", refuse},
    {"eglDestroyContext", refuse},
    {"eglDestroySurface", refuse},
    {"eglGetConfigAttrib", refuse},
    {"eglQueryContext", refuse},
    {"eglQuerySurface", refuse},
    {"eglReleaseTexImage", refuse},
    {"eglSurfaceAttrib", refuse},
    {"eglSwapBuffers", refuse},
    {"eglSwapInterval", refuse},
    {"eglWaitClient", refuse},
    {"eglWaitGL", refuse},
    {"eglWaitNative", refuse},
};

static void *get_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0) return functions[i].function;
    return NULL;
}

static EGLDisplay get_display(EGLenum platform, void *native, const EGLAttrib *attributes)
{
    (void)platform, (void)native, (void)attributes;
    return &display;
}

static EGLBoolean supports(EGLenum api) { return api == EGL_OPENGL_ES_API || api == EGL_OPENGL_API; }

static const char *vendor_string(int name)
{
    return name == __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS ? PLATFORMS : NULL;
}

static void *no_dispatch(const char *name)
{
    (void)name;
    return NULL;
}

static void no_index(const char *name, int index) { (void)name, (void)index; }

// The entry point for libglvnd.
__attribute__((visibility("default"))) EGLBoolean __egl_Main(
    uint32_t version, const __EGLapiExports *exports, __EGLvendorInfo *vendor, __EGLapiImports *imports)
{
    (void)exports, (void)vendor;
    if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION) return EGL_FALSE;
    imports->getPlatformDisplay = get_display;
    imports->getSupportsAPI = supports;
    imports->getVendorString = vendor_string;
    imports->getProcAddress = get_function;
    imports->getDispatchAddress = no_dispatch;
    imports->setDispatchIndex = no_index;
    return EGL_TRUE;
}
