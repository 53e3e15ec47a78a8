// GObject constructors, variadic in C and so out of Swift's reach, and where WebKit's processes start.
#ifndef OFFSTAGE_WEBKIT_H
#define OFFSTAGE_WEBKIT_H

#include <offstage_system.h>
#include <webkit2/webkit2.h>

/// A context that keeps nothing on disk and shares nothing, in the given time zone. The caller owns it.
WebKitWebContext *offstage_web_context_new(const char *time_zone);

/// A view with a web process of its own, under a content security policy that holds for whatever it loads. Floating.
WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy);

/// Where WebKit's helper processes start, and what they get along.
struct offstage_helper_place {
    /// `network` is -1 where there is none.
    struct offstage_namespace space;
    /// Of the display's Xauthority file.
    int authority;
};

/// All that start from now on, for whatever view of this process. From the main thread.
void offstage_helpers_start_in(const struct offstage_helper_place *place);

/// A helper process that WebKit has started.
struct offstage_launch {
    pid_t process;
    /// A copy of the socket on which it tells WebKit its number; the caller closes it. -1 where there is none.
    int socket;
    /// A web process, not the network's.
    bool draws;
};

#define OFFSTAGE_LAUNCHES 8

/// Those since the last call, `OFFSTAGE_LAUNCHES` at most; returns how many. From the main thread, after
/// `offstage_helpers_start_in`.
int offstage_helpers_take_launches(struct offstage_launch *launches);

/// What bubblewrap said last when WebKit had it make a sandbox, without its name; empty where it said nothing. A line. From the
/// main thread; valid until the next call.
const char *offstage_helpers_sandbox_complaint(void);

#endif
