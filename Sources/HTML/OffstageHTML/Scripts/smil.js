// Shows the final state of the animations of SVG pictures, in every document and frame. Runs before `still.js`. The rules are
// those of `SMILTime.swift`, which changes the files of images, so a picture looks the same in its own file, inline in HTML, and
// in an `<img>`.
'use strict';
globalThis.offstageSMIL = (() => {
  const { get, call, find } = offstageDOM;
  const names = 'animate, animateMotion, animateTransform, animateColor, set';

  // Seconds of a clock value; NaN for anything else.
  function seconds(text) {
    const clock = /^\s*([+-]?)(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?|\.\d+)(h|min|s|ms)?\s*$/.exec(text ?? '');
    if (!clock) return NaN;
    const [, sign, hours = 0, minutes = 0, value, unit = 's'] = clock;
    return (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + value * { h: 3600, min: 60, s: 1, ms: 0.001 }[unit]);
  }

  const least = (...values) => Math.min(...values.filter((value) => !Number.isNaN(value)));

  // The attributes that put an animation at its end when the picture's clock starts, and keep it there; if it has no end, they
  // keep it at its start.
  function still(element) {
    const text = (name) => call(element, 'getAttribute', name);
    const isSet = get(element, 'localName') === 'set';
    const moments = (text('begin') ?? '0').split(';').map((moment) => moment.trim());
    const starts = moments.map(seconds).filter((moment) => !Number.isNaN(moment));
    const start = starts.length ? Math.min(...starts) : undefined;
    const [duration, end] = [seconds(text('dur')), seconds(text('end'))];
    let active = NaN;
    if (duration > 0) {
      const [count, total] = [text('repeatCount'), text('repeatDur')];
      const repeats = count === null || Number.isNaN(Number(count)) ? Infinity : Number(count);
      active = count === null && total === null ? duration : least(duration * repeats, total === null ? Infinity : seconds(total));
      active = least(active, end - (start ?? 0));
    }
    const isConstant = isSet && text('dur') === null;
    const isFrozen = text('fill') === 'freeze';
    if (!isConstant && !(active > 0 && active < Infinity)) return endless(text);
    if (isConstant ? !Number.isNaN(end) && !isFrozen : !isFrozen) return { begin: 'indefinite' };
    let length = 100;
    if (start !== undefined) length = 1000 - Math.min(Math.max(start, -40000), 40000) / 100;
    else if (!moments.some((moment) => /\.(?:end|begin)/.test(moment))) return { begin: 'indefinite' };
    const clock = (value) => `${value.toFixed(9)}s`;
    const changes = { begin: clock(1e-6 - length) };
    if (!Number.isNaN(end)) changes.end = 'indefinite';
    if (isSet && text('dur') !== null) changes.dur = 'indefinite';
    if (!isSet) Object.assign(changes, { dur: clock(length * duration / active), repeatDur: clock(length) });
    return changes;
  }

  function endless(text) {
    const changes = {};
    const isAtStart = (moment) => /^-|^[0-9.:+hmins]+$/.test(moment.trim());
    if (text('begin') !== null && !text('begin').split(';').some(isAtStart)) changes.begin = 'indefinite';
    for (const name of ['dur', 'max']) if (![null, 'indefinite', 'media'].includes(text(name))) changes[name] = '99999h';
    for (const name of ['end', 'repeatDur']) if (text(name) !== null) changes[name] = 'indefinite';
    return changes;
  }

  // Moves each SVG picture to the end of its finite animations. Those without an end stay at their start. A picture that a script has
  // paused and moved stays as it is.
  function endPictures(one) {
    const pictures = new Map();
    for (const element of find(one, names)) {
      let svg = element.ownerSVGElement;
      while (svg?.ownerSVGElement) svg = svg.ownerSVGElement;
      if (svg && get(svg, 'animationsPaused')) pictures.set(svg, [...pictures.get(svg) ?? [], element]);
    }
    for (const [svg, elements] of pictures) {
      // In a view that is never shown, the animations are paused, at their start unless a script has moved them.
      if (svg.animationsPaused() && svg.getCurrentTime() > 0) continue;
      svg.pauseAnimations();
      const changes = elements.map(still);
      elements.forEach((element, index) => {
        const attributes = Object.entries(changes[index]);
        if (attributes.every(([name, value]) => call(element, 'getAttribute', name) === value)) return;
        // Use a new element: if an animation already had a begin, WebKit only adds another one.
        const copy = call(get(element, 'ownerDocument'), 'createElementNS', 'http://www.w3.org/2000/svg', get(element, 'localName'));
        for (const attribute of get(element, 'attributes')) {
          if (!(attribute.name in changes[index])) call(copy, 'setAttributeNode', attribute.cloneNode());
        }
        for (const [name, value] of attributes) call(copy, 'setAttribute', name, value);
        call(copy, 'append', ...get(element, 'childNodes'));
        call(element, 'replaceWith', copy);
      });
      svg.setCurrentTime(0.001);
    }
  }

  return { endPictures };
})();
