#!/usr/bin/env python3
"""draw.py PAGE.html PICTURE.png [OPTION VALUE]...: renders an HTML file with ctypes and GLib's main loop, without other
modules."""

import ctypes
import sys
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p


class GError(ctypes.Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]


# Load the library on the main thread, as offstage.h requires.
offstage = ctypes.CDLL("liboffstage.so.0")
glib = ctypes.CDLL("libglib-2.0.so.0")

Ready = ctypes.CFUNCTYPE(None, c_void_p, POINTER(GError), c_void_p)
Finished = ctypes.CFUNCTYPE(None, c_void_p)
Options = POINTER(c_char_p)

offstage.offstage_renderer_new.argtypes = [Options, POINTER(POINTER(GError))]
offstage.offstage_renderer_new.restype = c_void_p
offstage.offstage_renderer_encode.argtypes = [c_void_p, Options, Ready, c_void_p, POINTER(POINTER(GError))]
offstage.offstage_renderer_encode.restype = c_uint64
offstage.offstage_renderer_finish.argtypes = [c_void_p, Finished, c_void_p]
offstage.offstage_renderer_free.argtypes = [c_void_p]
offstage.offstage_picture_get_bytes.argtypes = [c_void_p, POINTER(c_size_t)]
offstage.offstage_picture_get_bytes.restype = c_void_p
glib.g_main_context_iteration.argtypes = [c_void_p, c_int]


def options(**values):
    """Alternating names and values, ended by NULL; an underscore becomes a hyphen."""
    texts = [text.encode() for name, value in values.items() for text in (name.replace("_", "-"), str(value))]
    return (c_char_p * (len(texts) + 1))(*texts, None)


def picture(renderer, **values):
    """The bytes of a picture's file."""
    result = []

    @Ready
    def on_ready(picture, error, _):
        if error:
            result.append(RuntimeError(error.contents.message.decode()))
            return
        length = c_size_t()
        data = offstage.offstage_picture_get_bytes(picture, length)
        result.append(ctypes.string_at(data, length.value))

    error = POINTER(GError)()
    if not offstage.offstage_renderer_encode(renderer, options(**values), on_ready, None, error):
        raise ValueError(error.contents.message.decode())
    while not result:
        glib.g_main_context_iteration(None, True)
    if isinstance(result[0], Exception):
        raise result[0]
    return result[0]


def main(page, path, *more):
    error = POINTER(GError)()
    renderer = offstage.offstage_renderer_new(None, error)
    try:
        data = picture(renderer, file=page, **dict(zip(more[::2], more[1::2])))
        with open(path, "wb") as file:
            file.write(data)
    except (RuntimeError, ValueError) as problem:
        sys.exit(f"draw.py: {problem}")
    finally:
        ended = []
        finished = Finished(lambda _: ended.append(True))
        offstage.offstage_renderer_finish(renderer, finished, None)
        while not ended:
            glib.g_main_context_iteration(None, True)
        offstage.offstage_renderer_free(renderer)


if __name__ == "__main__":
    main(*sys.argv[1:])
