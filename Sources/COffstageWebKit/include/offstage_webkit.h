// GObject constructors: variadic in C, so out of Swift's reach.
#ifndef OFFSTAGE_WEBKIT_H
#define OFFSTAGE_WEBKIT_H

#include <webkit2/webkit2.h>

/// A context that keeps nothing on disk and shares nothing, in the given time zone. The caller owns it.
WebKitWebContext *offstage_web_context_new(const char *time_zone);

/// A view with a web process of its own, under a content security policy that holds for whatever it loads. Floating.
WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy);

#endif
