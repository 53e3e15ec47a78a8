// Runs at the start of every document and frame, in the page's own world, where the page's scripts run.
'use strict';
(() => {
  // The messages already sent: without duplicates, and at most one more than Offstage keeps, because a script may log at every
  // step.
  const told = new Set();
  const tell = (kind, text, source) => {
    const message = JSON.stringify({ url: location.href, kind, text: text.slice(0, 1000), source });
    if (told.size > 20 || told.has(message)) return;
    told.add(message);
    // A live view has no listener.
    window.webkit?.messageHandlers?.offstage?.postMessage(message);
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };

  for (const kind of ['debug', 'log', 'info', 'warn', 'error']) {
    console[kind] = (...values) => tell(kind, values.map(shown).join(' '), '');
  }
  addEventListener('error', ({ message, filename, lineno, target }) => {
    // Errors of resources are reported elsewhere.
    if (target === window) tell('uncaught', message, `${filename}:${lineno}`);
  });
  addEventListener('unhandledrejection', ({ reason }) => {
    if (!skips.has(reason)) tell('uncaught', `in a promise: ${shown(reason)}`, '');
  });

  // In a view that is never shown, WebKit skips each view transition and makes the change at once, which is what the picture
  // should show. The skipped transition is not an error of the page.
  const skips = new WeakSet();
  const { startViewTransition } = Document.prototype;
  if (startViewTransition) {
    Document.prototype.startViewTransition = function () {
      const transition = startViewTransition.apply(this, arguments);
      transition.ready.catch((reason) => { if (reason?.name === 'InvalidStateError') skips.add(reason); });
      return transition;
    };
  }

  // A view that is never shown has no frames. Callbacks that a browser would run before a frame run after a fixed delay instead.
  // A view that draws a single picture has its own clock.
  const clock = window[Symbol.for('offstage.clock')];
  const frame = 16;
  let last = 0;
  const waiting = new Map();
  if (!clock) {
    window.requestAnimationFrame = (callback) => {
      const number = ++last;
      waiting.set(number, setTimeout(() => {
        waiting.delete(number);
        callback(performance.now());
      }, frame));
      return number;
    };
    window.cancelAnimationFrame = (number) => clearTimeout(waiting.get(number));
  }

  // Observers report the current state once. The whole document is in the picture, so every element intersects.
  const observer = (entry) => class {
    #callback;
    #targets = new Set();
    constructor(callback) { this.#callback = callback; }
    observe(target) {
      this.#targets.add(target);
      setTimeout(() => { if (this.#targets.has(target)) this.#callback([entry(target)], this); }, frame);
    }
    unobserve(target) { this.#targets.delete(target); }
    disconnect() { this.#targets.clear(); }
    takeRecords() { return []; }
  };
  window.ResizeObserver = observer((target) => {
    const { width, height } = target.getBoundingClientRect();
    const style = getComputedStyle(target);
    const padding = (side) => parseFloat(style[`padding${side}`]) || 0;
    const inlineSize = target.clientWidth - padding('Left') - padding('Right');
    const blockSize = target.clientHeight - padding('Top') - padding('Bottom');
    return {
      target, contentRect: new DOMRect(padding('Left'), padding('Top'), inlineSize, blockSize),
      contentBoxSize: [{ inlineSize, blockSize }], devicePixelContentBoxSize: [{ inlineSize, blockSize }],
      borderBoxSize: [{ inlineSize: width, blockSize: height }],
    };
  });
  window.IntersectionObserver = observer((target) => {
    const boundingClientRect = target.getBoundingClientRect();
    return {
      target, boundingClientRect, intersectionRect: boundingClientRect, rootBounds: null, intersectionRatio: 1,
      isIntersecting: true, time: performance.now(),
    };
  });

  // Makes a picture wait for its fonts, as in style sheets (`FontDisplay`).
  const { FontFace } = window;
  if (FontFace) {
    window.FontFace = new Proxy(FontFace, {
      construct(target, [family, source, descriptors, ...rest], maker) {
        const given = [family, source, descriptors && { ...descriptors, display: 'block' }, ...rest];
        return Reflect.construct(target, given.slice(0, arguments[1].length), maker);
      },
    });
    Object.defineProperty(FontFace.prototype, 'constructor', { value: window.FontFace, writable: true, configurable: true });
  }

  // A view uses one history entry for all its documents, so remove the state that the previous document left there.
  if (window === top) {
    if (history.state !== null) history.replaceState(null, '');
    history.scrollRestoration = 'auto';
  }

  // A closed shadow tree is really an open one that only looks closed to the page, because Offstage's script world must stop the
  // animations in it.
  const closed = new WeakSet();
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    if (init?.mode !== 'closed') return attachShadow.apply(this, arguments);
    const { clonable, customElementRegistry, delegatesFocus, serializable, slotAssignment } = init;
    const given = Object.entries({ clonable, customElementRegistry, delegatesFocus, serializable, slotAssignment });
    const root = attachShadow.call(this, { mode: 'open', ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) });
    closed.add(root);
    return root;
  };
  const hide = (prototype, name, shown) => {
    const { get, ...rest } = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { ...rest, get() { return shown(get.call(this), this); } });
  };
  hide(Element.prototype, 'shadowRoot', (root) => closed.has(root) ? null : root);
  hide(ShadowRoot.prototype, 'mode', (mode, root) => closed.has(root) ? 'closed' : mode);

  // A closed tree that a script declares in HTML also becomes an open one, like those in the document's source.
  const declaration = /(<template\b(?:[^<>"']|"[^"]*"|'[^']*')*?\sshadowrootmode\s*=\s*["']?)closed(?![^\s"'>\/])/gi;
  const opened = (html) => typeof html === 'string' ? html.replace(declaration, '$1open') : html;
  const openIn = (owner, ...names) => {
    for (const name of names) {
      const native = owner?.[name];
      if (native) owner[name] = function (...html) { return native.apply(this, html.map(opened)); };
    }
  };
  openIn(Element.prototype, 'setHTMLUnsafe');
  openIn(ShadowRoot.prototype, 'setHTMLUnsafe');
  openIn(Document, 'parseHTMLUnsafe');
  openIn(Document.prototype, 'write', 'writeln');

  // `offstage.wait()` and `offstage.ready()` do the same as setting the attribute.
  if (window === top) {
    const say = (word) => () => {
      document.documentElement.dataset.offstage = word;
      clock?.say(word);
    };
    Object.defineProperty(window, 'offstage', {
      value: Object.freeze({ wait: say('wait'), ready: say('ready') }), configurable: true,
    });
  }
})();
