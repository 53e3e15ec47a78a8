#include "offstage_webkit.h"

WebKitWebContext *offstage_web_context_new(const char *time_zone) {
    WebKitWebsiteDataManager *data = webkit_website_data_manager_new_ephemeral();
    WebKitWebContext *context = g_object_new(
        WEBKIT_TYPE_WEB_CONTEXT, "website-data-manager", data, "time-zone-override", time_zone,
        "process-swap-on-cross-site-navigation-enabled", FALSE, NULL);
    g_object_unref(data);
    return context;
}

WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy) {
    return g_object_new(
        WEBKIT_TYPE_WEB_VIEW, "web-context", context, "settings", settings, "user-content-manager", content,
        "default-content-security-policy", policy, NULL);
}
