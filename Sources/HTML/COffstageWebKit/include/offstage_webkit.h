// GObject constructors, which are variadic in C and so cannot be called from Swift, and control over how WebKit starts its
// processes.
#ifndef OFFSTAGE_WEBKIT_H
#define OFFSTAGE_WEBKIT_H

#include "../../../Libraries/CWebKitGTK/shim.h"

#include <offstage_system.h>

/// A context that stores nothing on disk and shares nothing, in the given time zone. The caller owns it.
WebKitWebContext *offstage_web_context_new(const char *time_zone);

/// A view with a web process of its own. The content security policy applies to everything that it loads. Returns a floating
/// reference.
WebKitWebView *offstage_web_view_new(
    WebKitWebContext *context, WebKitSettings *settings, WebKitUserContentManager *content, const char *policy);

/// Destroys the text field in which a view looks up key bindings. WebKit would never free its 10 KB. Only for a view that gets no
/// more key events.
void offstage_web_view_forget_keys(WebKitWebView *view);

/// The namespace in which WebKit's processes start, and a descriptor that each of them gets.
struct offstage_helper_place {
    /// `network` is -1 if no namespace exists.
    struct offstage_namespace space;
    /// Descriptor of the display's Xauthority file.
    int authority;
};

/// Applies to all processes that start from now on, for any view of this process. Call it on the main thread.
void offstage_helpers_start_in(const struct offstage_helper_place *place);

/// A process that WebKit has started.
struct offstage_launch {
    pid_t process;
    /// A copy of the socket on which the process sends its number to WebKit, for `offstage_launch_settle`. -1 if none exists, as
    /// in WebKitGTK 2.52.
    int socket;
    /// True for a web process, false for the network process.
    bool draws;
};

#define OFFSTAGE_LAUNCHES 8

/// Returns the number of launches since the last call, at most `OFFSTAGE_LAUNCHES`, and copies them to `launches`. Call it on
/// the main thread, after `offstage_helpers_start_in`.
int offstage_helpers_take_launches(struct offstage_launch *launches);

/// Handles the socket of a launch. Call it repeatedly until it returns true; it has then closed the socket.
///
/// WebKit ends the program if all copies of such a socket are closed before the process number has arrived, as happens when a
/// process is killed while it starts. If a copy stays open, WebKit waits forever and keeps three descriptors open. So this
/// function closes its copy only after WebKit has read the number. If the process ended without sending one, a short-lived
/// child sends a message in its place; WebKit then notices the end like any other.
///
/// \param has_ended The process has ended, and no other copy of the socket is open.
bool offstage_launch_settle(const struct offstage_launch *launch, bool has_ended);

/// Returns whether GLib will reap this child process. GLib logs a warning if another thread reaps it first. Call it on the main
/// thread.
bool offstage_helpers_glib_awaits(pid_t process);

/// The first line of bubblewrap's last error message when it created a sandbox for WebKit, without bubblewrap's name. Empty if
/// it printed none. Call it on the main thread. Valid until the next call.
const char *offstage_helpers_sandbox_complaint(void);

/// Marks the calls up to `offstage_stage_leave` as calls of the engine. When WebKit asks for the display, it gets the private
/// one, and the processes that it starts get the environment for the engine. Calls may be nested. Call it on the main thread.
///
/// \param display The private display. NULL for the last one.
void offstage_stage_enter(GdkDisplay *display);
void offstage_stage_leave(void);
bool offstage_is_on_stage(void);
/// Makes WebKit and GTK call the replacements defined in this library. This is needed if the replacements are in a shared
/// library, which the dynamic linker searches after GTK or not at all. Call it on the main thread, after WebKit is loaded and
/// before it is used. Further calls do nothing.
///
/// \return False if that is impossible. Then nothing must be drawn, because WebKit's processes would start with network access.
bool offstage_redirect_calls(void);
/// The folder in which WebKit writes files about sandboxes that it creates for the engine. Nothing else uses it. It may not
/// exist.
const char *offstage_sandbox_folder(void);
/// Call it when the display is being closed.
void offstage_stage_forget(GdkDisplay *display);

/// Lets the program continue when the X server of a display ends. Calls for the display do nothing from then on. Call it on the
/// main thread.
void offstage_display_survive(GdkDisplay *display);
/// Keeps a lost display open without using processor time, because WebKit still refers to its monitors.
void offstage_display_leave_lost(GdkDisplay *display);
/// Closes a display, whether it is lost or not.
void offstage_display_close(GdkDisplay *display);

/// The settings that WebKit uses in this process, for all views. They do not belong to any screen, and nothing else uses them.
GtkSettings *offstage_web_settings(void);

/// Sets the variables of processes that start for the engine, which get no others: a NULL-terminated list of alternating names
/// and values. The list is copied. `for_all`: also for processes that WebKit starts at other times.
void offstage_helpers_use_environment(const char *const *variables, bool for_all);

/// True if all web views of the program are Offstage's, so the variables apply to every view.
bool offstage_helpers_are_all_ours(void);

/// Sets whether engine processes started from now on run page scripts. Default true. Without page scripts, they start without
/// JavaScriptCore's optimizing compilers: Offstage's own scripts end before these would pay off.
void offstage_helpers_run_page_scripts(bool run);

#endif
