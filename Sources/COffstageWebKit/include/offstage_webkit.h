// GObject constructors, variadic in C and so out of Swift's reach, and where WebKit's processes start.
#ifndef OFFSTAGE_WEBKIT_H
#define OFFSTAGE_WEBKIT_H

#include "../../CWebKitGTK/shim.h"

#include <offstage_system.h>

/// A context that keeps nothing on disk and shares nothing, in the given time zone. The caller owns it.
WebKitWebContext *offstage_web_context_new(const char *time_zone);

/// A view with a web process of its own, under a content security policy that holds for whatever it loads. Floating.
WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy);

/// Destroys the text field that WebKit keeps in a view to look up what a key does there, and would never let go of: 10 KB. For
/// a view that gets no key any more.
void offstage_web_view_forget_keys(WebKitWebView *view);

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
    /// A copy of the socket on which it tells WebKit its number, for `offstage_launch_settle`. -1 where there is none.
    int socket;
    /// A web process, not the network's.
    bool draws;
};

#define OFFSTAGE_LAUNCHES 8

/// Those since the last call, `OFFSTAGE_LAUNCHES` at most; returns how many. From the main thread, after
/// `offstage_helpers_start_in`.
int offstage_helpers_take_launches(struct offstage_launch *launches);

/// Looks after a launch's socket, again and again until it returns true and has closed it. WebKit ends the program where all
/// copies of such a socket are closed before a number has come, as they are when a process is killed while it starts; and where
/// one stays open, it waits for ever and keeps three descriptors for it. So ours is closed once WebKit has read, and a process
/// that ended without a word has another one speak for it: WebKit then notices an end like any other.
///
/// \param has_ended The process is gone; nobody else has the socket's other copies.
bool offstage_launch_settle(const struct offstage_launch *launch, bool has_ended);

/// What bubblewrap said last when WebKit had it make a sandbox, without its name; empty where it said nothing. A line. From the
/// main thread; valid until the next call.
const char *offstage_helpers_sandbox_complaint(void);

/// What happens from here to `offstage_stage_leave` is the engine's: WebKit's questions for the display are answered with the
/// private one, and the processes that it starts get the environment that was given. May be nested. On the main thread.
///
/// \param display NULL for the last one.
void offstage_stage_enter(GdkDisplay *display);
void offstage_stage_leave(void);
bool offstage_is_on_stage(void);
/// WebKit's and GTK's calls of the functions that are here once more reach ours, also where these are in a shared library, which
/// the linker asks after GTK or not at all. On the main thread, once WebKit is loaded and before it is used; more calls do
/// nothing.
///
/// \return false where that cannot be done: nothing must be drawn then, for WebKit's processes would start with the network.
bool offstage_redirect_calls(void);
/// Where WebKit puts what it writes about sandboxes that are made on the stage; nobody else's. It may not be there.
const char *offstage_sandbox_folder(void);
/// The display is being closed.
void offstage_stage_forget(GdkDisplay *display);

/// The program goes on when the X server behind a display ends: calls do nothing from then on. On the main thread.
void offstage_display_survive(GdkDisplay *display);
/// A display that was lost stays, for WebKit has kept its monitors; it costs nothing any more.
void offstage_display_leave_lost(GdkDisplay *display);
/// Closes a display, be it lost or not.
void offstage_display_close(GdkDisplay *display);

/// The settings that WebKit goes by in this process, whoever's view it is: they belong to no screen, and to nobody else.
GtkSettings *offstage_web_settings(void);

/// Variables for the processes that are started on the stage, a NULL-ended list of names and values by turns; an empty value
/// stands for none. It is copied. `for_all`: for those that WebKit starts elsewhere, too.
void offstage_helpers_use_environment(const char *const *variables, bool for_all);

/// Whether all web views of the program are ours: environment variables apply to every view.
bool offstage_helpers_are_all_ours(void);

/// Whether the processes that are started on the stage from now on have page scripts to run; true until it is said. Those that have
/// none do without JavaScriptCore's optimizing compilers: our own scripts are over before these would pay.
void offstage_helpers_run_page_scripts(bool run);

#endif
