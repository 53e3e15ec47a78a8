// Puts the ends of a page's animations and transitions on the clock of its scripts (this file precedes `clock.js`).
//
// In a view that is never shown, WebKit's own animations stand still and send no events. So each finite animation is finished
// once the page's clock has reached its end, and the page gets the events that it would get in a window. Endless animations send
// no events.
const watchAnimations = (clock, roots) => {
  const planned = new WeakSet();
  // Animations that a script has started and that are not on the clock yet.
  const started = new Set();
  const known = new WeakMap();

  // MARK: Finding animations

  const movingStyle = /animation|transition|\\/i;
  function isMoving(sheet) {
    if (sheet.href) return true;
    const text = sheet.ownerNode?.textContent ?? '';
    // Rules made by a script are not in any text.
    if (!text.trim()) return sheet.cssRules.length > 0;
    if (!known.has(sheet)) known.set(sheet, movingStyle.test(text) || /@import/i.test(text));
    return known.get(sheet);
  }

  // Call `getAnimations` only for documents that may have animations, because afterwards WebKit keeps the document in memory.
  let mayMove = false;
  const look = () => roots().some((root) => root.adoptedStyleSheets?.length > 0 || [...root.styleSheets].some(isMoving)
    || root.querySelector('[style*="animation" i], [style*="transition" i], [style*="\\\\"]'));

  const isTimed = ({ timeline }) => timeline === null || timeline instanceof DocumentTimeline;

  clock.listen(() => {
    const all = [...started];
    started.clear();
    mayMove ||= look();
    if (mayMove) for (const root of roots()) all.push(...root.getAnimations());
    for (const animation of all) {
      try {
        plan(animation);
      } catch {
        // The animation belongs to a frame that no longer exists.
      }
    }
  });

  const starts = (owner, ...names) => {
    for (const name of names) {
      const native = owner?.[name];
      if (!native) continue;
      owner[name] = function () {
        const result = native.apply(this, arguments);
        started.add(result ?? this);
        clock.wake();
        return result;
      };
    }
  };
  starts(Element.prototype, 'animate');
  starts(window.Animation?.prototype, 'play', 'reverse');

  // MARK: Ends of animations

  const at = (due, callback, isEnd = false) => {
    clock.add({ due, delay: 0, level: 0, isOurs: true, isEnd, callback, values: [], window });
  };

  function plan(animation) {
    if (planned.has(animation) || animation.playState !== 'running' || !isTimed(animation)) return;
    const { effect, playbackRate: rate, currentTime } = animation;
    const timing = effect?.getComputedTiming();
    if (!(timing?.endTime < Infinity) || !rate) return;
    planned.add(animation);
    const now = clock.moment();
    const left = (rate > 0 ? timing.endTime - currentTime : currentTime) / Math.abs(rate);
    const events = eventsOf(animation, timing);
    if (events.run) at(now, events.run);
    if (events.start) at(now + Math.max(0, (timing.delay - currentTime) / Math.abs(rate)), () => {
      if (animation.playState === 'running') events.start();
    });
    at(now + Math.max(1, left), () => {
      planned.delete(animation);
      if (animation.playState !== 'running') return;
      animation.addEventListener('finish', once, { once: true });
      animation.finish();
      // Runs after the events that follow the end.
      at(clock.moment(), () => {
        const { currentTime } = animation;
        animation.dispatchEvent(new AnimationPlaybackEvent('finish', { currentTime, timelineTime: clock.moment() }));
        events.end?.();
      });
    }, true);
  }

  // If WebKit's own event ever arrives, it is redundant.
  const once = (event) => { if (event.isTrusted) event.stopImmediatePropagation(); };
  for (const type of ['transitionrun', 'transitionstart', 'transitionend', 'animationstart', 'animationend']) {
    addEventListener(type, once, true);
  }

  // Old scripts listen to these names. A target that listens to both names gets only one event.
  const oldNames = { transitionend: 'webkitTransitionEnd', animationstart: 'webkitAnimationStart', animationend: 'webkitAnimationEnd' };
  const listening = Object.fromEntries(Object.keys(oldNames).map((type) => [type, new WeakSet()]));
  const { addEventListener: listenTo } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type) {
    if (typeof type === 'string' && Object.hasOwn(listening, type)) listening[type].add(this ?? window);
    return listenTo.apply(this ?? window, arguments);
  };

  function eventsOf(animation, { activeDuration, delay }) {
    const { effect: { target, pseudoElement } } = animation;
    const Kind = animation instanceof CSSTransition ? TransitionEvent : animation instanceof CSSAnimation ? AnimationEvent : null;
    if (!Kind || !target) return {};
    const names = { propertyName: animation.transitionProperty, animationName: animation.animationName };
    const event = (type, seconds) => () => {
      const init = { ...names, elapsedTime: seconds, pseudoElement: pseudoElement ?? '', bubbles: true };
      target.dispatchEvent(new Kind(type, init));
      const old = oldNames[type];
      if (!old) return;
      for (let one = target; one; one = one.parentNode ?? one.host) if (listening[type].has(one)) return;
      if (!listening[type].has(window)) target.dispatchEvent(new Kind(old, init));
    };
    const [begin, end] = [Math.max(0, -delay) / 1000, activeDuration / 1000];
    return Kind === TransitionEvent
      ? { run: event('transitionrun', begin), start: event('transitionstart', begin), end: event('transitionend', end) }
      : { start: event('animationstart', begin), end: event('animationend', end) };
  }

  // MARK: The time

  const current = Object.getOwnPropertyDescriptor(window.AnimationTimeline?.prototype ?? {}, 'currentTime');
  if (current?.configurable) {
    Object.defineProperty(AnimationTimeline.prototype, 'currentTime', { ...current, get() {
      return this instanceof DocumentTimeline ? clock.time() : current.get.call(this);
    } });
  }
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  const stamps = new WeakMap();
  Object.defineProperty(Event.prototype, 'timeStamp', { ...stamp, get() {
    stamp.get.call(this);
    if (!stamps.has(this)) stamps.set(this, clock.moment());
    return stamps.get(this);
  } });
};
