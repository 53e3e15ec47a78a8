// The clock of a page's scripts. Runs at the start of every document and frame, in the page's own world, before `page.js`.
//
// Timers, animation frames, `Date` and `performance.now` follow this clock. It is stopped while a callback runs and while the
// page loads something; otherwise it jumps to the next timer. So an animation of a second takes only as long as its frames take
// to compute, and every run computes the same frames. The clock stops when the page rests: no timer is waiting, or repeating
// timers have changed nothing for a while. It also stops at the page's ready signal and at a limit. `animations.js`
// puts the ends of animations on this clock.
'use strict';
(() => {
  // The limit, in milliseconds of page time, after which scripts count as endless.
  const limit = 10000;
  // After this time without a change, in milliseconds of page time, repeating timers count as idle.
  const calm = 5000;
  // A page that changes within this time before the limit, in milliseconds of page time, counts as still moving.
  const rested = 1000;
  // In milliseconds of page time. A timer that is due after the limit but before this moment counts as a change that the picture
  // lacks.
  const horizon = 30000;
  // The longest time that the clock waits for a load, in milliseconds of real time. After that it runs at real speed.
  const patience = 1000;
  const frame = 16;
  // A page that has moved for this long probably moves forever. Its frames take real time, so there are fewer from then on.
  const long = 4000;
  const longFrame = 64;
  // Timers set by timers have a nesting level. From this level on, a timer counts as repeating, and a browser delays it by at
  // least 4 ms.
  const nesting = 5;
  // The number of times that one callback can read the clock before each reading advances it. This ends loops that wait for the
  // time.
  const readings = 10000;

  const key = Symbol.for('offstage.clock');
  const own = () => {
    const real = { setTimeout: window.setTimeout.bind(window), now: performance.now.bind(performance) };
    const begin = window.Date.now();
    const channel = new MessageChannel();
    const queue = [];
    const timers = new Map();
    const loads = new Map();
    const listeners = new Set();
    let now = 0;
    let number = 0;
    let level = 0;
    let read = 0;
    let changed = 0;
    let isHopping = false;
    let busySince = null;
    let quiet = 0;
    // The page's signal: 'wait' or 'ready'.
    let signal = null;
    let end = null;
    let tell = null;
    let running = null;
    // The timer that ran last. Changes to the page before the next step are attributed to it.
    let doer = null;
    // True if anything has run since the listeners were last called.
    let isStale = true;
    let hasJumped = false;

    // MARK: The queue

    function add(item) {
      item.order = number += 1;
      item.setBy ??= doer;
      let [low, high] = [0, queue.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (queue[middle].due <= item.due) low = middle + 1; else high = middle;
      }
      queue.splice(low, 0, item);
      timers.set(item.id ??= item.order, item);
      wake();
      return item.id;
    }

    function remove(id) {
      const item = timers.get(id);
      if (!item) return;
      timers.delete(id);
      item.isRemoved = true;
      const index = queue.indexOf(item);
      if (index >= 0) queue.splice(index, 1);
    }

    function wake() {
      if (isHopping || end) return;
      isHopping = true;
      channel.port2.postMessage(0);
    }

    // MARK: Running

    const isHeld = () => document.documentElement?.dataset?.offstage === 'wait';
    // True if a timer is likely to repeat.
    const repeats = (item) => item.isFrame || item.every <= calm || item.level > nesting && item.delay < calm;
    // True if a timer polls: each timer of a series checks for something, does not find it, and sets the next timer.
    const polls = ({ setBy, level, code }) => setBy && !setBy.hasChanged && (level > nesting || String(setBy.code) === String(code));
    // True if the page would change after the limit, as far as can be known: a repeating timer changed it at its last run, or a
    // one-time timer is due soon.
    const isPromising = (item) => !item.isOurs && !item.isFrame
      && (item.every !== undefined ? item.hasChanged : item.due < horizon && !polls(item));

    function step() {
      isHopping = false;
      read = 0;
      level = 0;
      doer = null;
      if (end) return;
      if (isHeld()) signal = 'wait';
      else if (signal === 'wait') return stop('rested');
      let next = queue[0];
      if (next && next.due <= now) {
        quiet = 0;
        run(next);
        isStale = true;
        return wake();
      }
      if (isBusy()) {
        isStale = true;
        busySince ??= real.now();
        const waited = real.now() - busySince;
        if (waited < patience) return later(2);
        if (next && waited < patience + next.due - now) return later(Math.min(50, next.due - now));
        // The load is slow or will never finish.
        loads.clear();
        busySince = real.now() - patience;
      } else {
        busySince = null;
      }
      // Let pending tasks, such as messages, run before the clock moves.
      if (quiet < 2) {
        quiet += 1;
        return wake();
      }
      if (isStale) {
        isStale = false;
        for (const listener of listeners) {
          try {
            listener();
          } catch {
            // The listener's frame no longer exists.
          }
        }
        next = queue[0];
        if (next && next.due <= now) return wake();
      }
      const isCalm = now - changed >= calm && queue.every(repeats);
      if (!next || isCalm && signal !== 'wait') {
        if (signal === 'wait') return later(5);
        return rest();
      }
      if (next.due > limit && signal !== 'wait') {
        if (endAll()) return wake();
        const isMoving = limit - changed < rested && queue.some((item) => !item.isOurs);
        return isMoving || queue.some(isPromising) ? unfinished() : rest();
      }
      now = Math.max(now, next.due);
      wake();
    }

    function later(delay) {
      isHopping = true;
      real.setTimeout(step, delay);
    }

    function run(item) {
      read = 0;
      if (item.isFrame) {
        // All callbacks of a frame get the same time. Callbacks that they request run in the next frame.
        const due = queue.filter((one) => one.isFrame && one.due <= now);
        for (const one of due) if (!one.isRemoved) { remove(one.id); call(one, [now]); }
        return;
      }
      if (item.every !== undefined) {
        const { id } = item;
        remove(id);
        const due = now + Math.max(item.every, item.level > nesting ? 4 : 1);
        item.hasChanged = false;
        call(item, item.values);
        if (!item.isCleared) add(Object.assign(item, { due, level: item.level + 1, isRemoved: false }));
        return;
      }
      remove(item.id);
      call(item, item.values);
    }

    // Reports an error as WebKit would, but without its position, which is lost because Offstage's script made the call.
    function report(target, error) {
      const { sourceURL: filename = '', line: lineno = 0, column: colno = 0 } = error ?? {};
      target.dispatchEvent(new ErrorEvent('error', { message: String(error), filename, lineno, colno, error, cancelable: true }));
    }

    function call(item, values) {
      if (item.window.closed) return;
      // Promise callbacks also run at this level.
      level = item.level;
      running = item;
      doer = item.isOurs ? null : item;
      item.setBy = undefined;
      try {
        item.callback.apply(item.window, values);
      } catch (error) {
        report(item.window, error);
      }
      running = null;
    }

    // MARK: The end

    // The page rests. A message, for example, may start it again.
    function rest() { if (tell) stop('rested'); }
    function unfinished() { stop('unfinished'); }

    function stop(how) {
      end ??= how;
      tell?.(end);
    }

    // Runs the ends of animations that are due after the limit, because the picture shows them. Does this only once, because they
    // may start other animations.
    function endAll() {
      const ends = queue.filter((item) => item.isEnd);
      if (hasJumped || !ends.length) return false;
      hasJumped = true;
      for (const item of ends) remove(item.id);
      for (const item of ends) add(Object.assign(item, { due: now, isRemoved: false }));
      return true;
    }

    // MARK: Loads

    function isBusy() {
      if (document.readyState !== 'complete' || loads.size > 0 || document.fonts?.status === 'loading') return true;
      for (const image of document.images) if (!image.complete && image.loading !== 'lazy') return true;
      return false;
    }

    // Keeps the clock waiting for a promise, and returns the promise.
    function wait(promise) {
      const load = {};
      loads.set(load, null);
      const done = () => { loads.delete(load); };
      promise.then(done, done);
      wake();
      return promise;
    }

    function waitFor(target, ...events) {
      if (loads.has(target)) return;
      const done = () => { if (loads.delete(target)) wake(); };
      loads.set(target, done);
      for (const event of events) target.addEventListener(event, done, { once: true });
      wake();
    }

    channel.port1.onmessage = step;
    wake();
    return {
      add, remove, wait, waitFor, wake,
      time() {
        read += 1;
        if (read > readings) now += 1;
        return now;
      },
      get date() { return begin + Math.floor(this.time()); },
      moment: () => now,
      nesting,
      nextFrame() {
        const length = now < long ? frame : longFrame;
        return (Math.floor(now / length) + 1) * length;
      },
      level: () => level,
      clear(id) {
        if (running && running.id === id) running.isCleared = true;
        remove(id);
      },
      change() {
        changed = now;
        isStale = true;
        if (doer) doer.hasChanged = true;
      },
      // Calls back after something has run, before the clock advances.
      listen(listener) { listeners.add(listener); },
      say(word) {
        if (end) return;
        signal = word;
        if (word === 'ready') stop('rested');
      },
      // Calls back with 'rested' or 'unfinished' once the page rests.
      await(callback) {
        tell = callback;
        if (end) callback(end); else wake();
      },
      stop: unfinished,
    };
  };

  let clock;
  try {
    clock = window === parent ? undefined : parent[key];
  } catch {
    // The parent has another origin, so this frame gets its own clock.
  }
  const isOwn = !clock;
  clock ??= own();
  Object.defineProperty(window, key, { value: clock });

  // MARK: Timers

  const delayOf = (delay) => {
    const value = Number(delay);
    return value > 0 && value < 2 ** 31 ? Math.trunc(value) : 0;
  };
  const functionOf = (callback) => typeof callback === 'function' ? callback : () => (0, eval)(String(callback));
  window.setTimeout = function setTimeout(callback, delay, ...values) {
    const level = clock.level() + 1;
    const wanted = Math.max(delayOf(delay), level > clock.nesting ? 4 : 0);
    const due = clock.moment() + wanted;
    return clock.add({ due, delay: wanted, level, code: callback, callback: functionOf(callback), values, window });
  };
  window.setInterval = function setInterval(callback, delay, ...values) {
    const level = clock.level() + 1;
    const every = Math.max(1, delayOf(delay));
    return clock.add({ due: clock.moment() + every, every, level, callback: functionOf(callback), values, window });
  };
  window.clearTimeout = function clearTimeout(id) { clock.clear(id); };
  window.clearInterval = function clearInterval(id) { clock.clear(id); };
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    return clock.add({ due: clock.nextFrame(), level: clock.level() + 1, isFrame: true, callback, window });
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(id) { clock.clear(id); };

  // MARK: The time

  performance.now = function now() { return clock.time(); };
  const NativeDate = window.Date;
  function Date(...values) {
    if (!new.target) return new NativeDate(clock.date).toString();
    return Reflect.construct(NativeDate, values.length ? values : [clock.date], new.target);
  }
  Object.defineProperties(Date, {
    length: { value: 7 },
    prototype: { value: NativeDate.prototype, writable: false },
    now: { value: function now() { return clock.date; }, writable: true, configurable: true },
    parse: { value: NativeDate.parse, writable: true, configurable: true },
    UTC: { value: NativeDate.UTC, writable: true, configurable: true },
  });
  Object.defineProperty(NativeDate.prototype, 'constructor', { value: Date, writable: true, configurable: true });
  Object.defineProperty(window, 'Date', { value: Date, writable: true, configurable: true });

  // MARK: Loads and events that a page waits for

  const waits = (owner, ...names) => {
    for (const name of names) {
      const native = owner?.[name];
      if (typeof native !== 'function') continue;
      owner[name] = function () {
        const result = native.apply(this, arguments);
        if (result instanceof Promise) clock.wait(result);
        return result;
      };
    }
  };
  waits(window, 'fetch', 'createImageBitmap');
  const bodies = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];
  waits(window.Response?.prototype, ...bodies);
  waits(window.Blob?.prototype, 'arrayBuffer', 'bytes', 'text');
  waits(window.ReadableStreamDefaultReader?.prototype, 'read');
  waits(window.FontFace?.prototype, 'load');
  waits(window.FontFaceSet?.prototype, 'load');
  waits(window.HTMLImageElement?.prototype, 'decode');
  waits(window.WebAssembly, 'compile', 'compileStreaming', 'instantiate', 'instantiateStreaming');
  waits(window.SubtleCrypto?.prototype, 'decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'exportKey', 'generateKey',
    'importKey', 'sign', 'unwrapKey', 'verify', 'wrapKey');

  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function () {
    send.apply(this, arguments);
    if (this.readyState !== 4) clock.waitFor(this, 'loadend');
  };
  for (const name of ['readAsArrayBuffer', 'readAsDataURL', 'readAsText', 'readAsBinaryString']) {
    const native = FileReader.prototype[name];
    FileReader.prototype[name] = function () {
      native.apply(this, arguments);
      clock.waitFor(this, 'loadend');
    };
  }
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (callback, ...rest) {
    const { promise, resolve } = Promise.withResolvers();
    toBlob.call(this, (blob) => { resolve(); callback(blob); }, ...rest);
    clock.wait(promise);
  };
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
  Object.defineProperty(HTMLImageElement.prototype, 'src', { ...source, set(url) {
    source.set.call(this, url);
    if (url && this.loading !== 'lazy') clock.waitFor(this, 'load', 'error');
  } });
  // MARK: Changes

  const isLoading = (one) => one.localName === 'script' ? one.src && !one.noModule
    : one.localName === 'link' ? /(^|\s)stylesheet(\s|$)/i.test(one.rel) && one.href
      : (one.srcdoc || one.src) && one.contentDocument?.URL === 'about:blank';
  const looked = new WeakSet();
  function watchLoads(nodes) {
    for (const node of nodes) {
      if (node.nodeType !== 1) continue;
      for (const one of [node, ...node.querySelectorAll('script, link, iframe')]) {
        if (!/^(script|link|iframe)$/.test(one.localName) || looked.has(one)) continue;
        looked.add(one);
        if (isLoading(one)) clock.waitFor(one, 'load', 'error');
      }
    }
  }
  const loading = new MutationObserver((records) => {
    if (document.readyState === 'complete') for (const { addedNodes } of records) watchLoads(addedNodes);
  });
  const roots = new Set();
  const everything = { attributes: true, characterData: true, childList: true, subtree: true };
  // After a change, only later changes matter, so stop observing for a while.
  const changes = new MutationObserver(() => {
    clock.change();
    changes.disconnect();
    clock.add({ due: clock.moment() + 100, delay: 100, level: 1, isOurs: true, callback: observe, values: [], window });
  });
  function observe() { for (const root of roots) changes.observe(root, everything); }
  function watch(root) {
    roots.add(root);
    loading.observe(root, { childList: true, subtree: true });
    changes.observe(root, everything);
  }
  watch(document);
  watchAnimations(clock, () => [...roots]);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function () {
    const root = attachShadow.apply(this, arguments);
    watch(root);
    return root;
  };
  const marks = (owner, ...names) => {
    for (const name of names) {
      const native = owner?.[name];
      if (native) owner[name] = function () { clock.change(); return native.apply(this, arguments); };
    }
  };
  marks(window.CanvasRenderingContext2D?.prototype, 'clearRect', 'drawImage', 'fill', 'fillRect', 'fillText', 'putImageData', 'reset', 'stroke',
    'strokeRect', 'strokeText');
  for (const kind of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    marks(kind?.prototype, 'clear', 'drawArrays', 'drawArraysInstanced', 'drawElements', 'drawElementsInstanced', 'drawRangeElements');
  }

  // MARK: Offstage's questions

  if (!isOwn || window !== top) return;
  const say = (word) => document.dispatchEvent(new Event(`offstage-${word}`));
  const answer = () => {
    say('running');
    clock.await(say);
  };
  const listen = () => {
    document.addEventListener('offstage-await', answer);
    document.addEventListener('offstage-stop', clock.stop);
  };
  listen();
  // Opening a document removes its listeners.
  for (const name of ['open', 'write', 'writeln']) {
    const native = Document.prototype[name];
    Document.prototype[name] = function () {
      const result = native.apply(this, arguments);
      if (this === document) listen();
      return result;
    };
  }
})();
