#include "offstage_webkit.h"

WebKitWebContext *offstage_web_context_new(const char *time_zone) {
    WebKitWebsiteDataManager *data = webkit_website_data_manager_new_ephemeral();
    // In MB and seconds. The default limit would depend on the machine's memory. WebKit frees caches at one third and at one
    // half of the limit. The kill threshold 0 means that WebKit ends no process; Offstage does that.
    WebKitMemoryPressureSettings *pressure = webkit_memory_pressure_settings_new();
    webkit_memory_pressure_settings_set_memory_limit(pressure, 3072);
    webkit_memory_pressure_settings_set_kill_threshold(pressure, 0);
    webkit_memory_pressure_settings_set_poll_interval(pressure, 30);
    WebKitWebContext *context = g_object_new(
        WEBKIT_TYPE_WEB_CONTEXT, "website-data-manager", data, "time-zone-override", time_zone,
        "process-swap-on-cross-site-navigation-enabled", FALSE, "memory-pressure-settings", pressure, NULL);
    webkit_memory_pressure_settings_free(pressure);
    g_object_unref(data);
    return context;
}

WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy) {
    return g_object_new(
        WEBKIT_TYPE_WEB_VIEW, "web-context", context, "settings", settings, "user-content-manager", content,
        "default-content-security-policy", policy, NULL);
}

static void destroy_text_view(GtkWidget *part, gpointer data) {
    (void)data;
    if (GTK_IS_TEXT_VIEW(part)) gtk_widget_destroy(part);
}

void offstage_web_view_forget_keys(WebKitWebView *view) {
    gtk_container_forall(GTK_CONTAINER(view), destroy_text_view, NULL);
}
