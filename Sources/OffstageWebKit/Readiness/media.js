// Audio and video, which no decoder is there for: a video shows its poster, and what has controls shows those as WebKit draws them
// before anything has been loaded. Runs in our world, before `readiness.js`.
'use strict';
globalThis.offstageMedia = (() => {
  const { get, call, find, attribute, styleOf } = offstageDOM;

  // In SVG and elsewhere the same names mean nothing.
  const elements = (documents) => documents.flatMap((one) => [...find(one, 'audio, video')].filter((element) => get(element, 'networkState') !== undefined));

  const files = (element) => [element, ...find(element, ':scope > source')].filter((one) => attribute(one, 'src') !== null);
  const isVideo = (element) => get(element, 'localName') === 'video';

  // The posters, as images of ours that say when they are there; `fail` is told of those that cannot be used.
  const posters = (media, fail) => media.map((element) => get(element, 'poster')).filter(Boolean).map((url) => {
    const image = new Image();
    image.addEventListener('error', () => fail(url));
    image.src = url;
    return image;
  });

  const sources = (media) => media.flatMap(files).map((one) => get(one, 'src')).filter(Boolean);

  // What the picture lacks of them: of a video without a poster its first frame, of an audio box its length. Nobody sees an audio without
  // controls.
  const unplayed = (media) => media.filter((element) => isVideo(element) ? !get(element, 'poster') : get(element, 'controls'))
    .flatMap((element) => sources([element]).slice(0, 1));

  // WebKit's controls are laid out by a script of its own, which waits for a frame, and a view that is not shown has none. But it
  // also does so when the element's size has changed, and then at once. An element's size is made to change.
  function layOutControls(media) {
    const controlled = media.filter((element) => get(element, 'controls'));
    return controlled.length ? layOut(controlled.map(withoutFiles)) : undefined;
  }

  // Such an element in its place shows no error, which a missing decoder is. WebKit takes none back.
  function withoutFiles(element) {
    if (files(element).length === 0) return element;
    call(element, 'removeAttribute', 'src');
    const copy = call(element, 'cloneNode', false);
    call(element, 'replaceWith', copy);
    return copy;
  }

  async function layOut(controlled) {
    // What is laid out may ask for another icon, and for another round.
    for (let round = 0; round < 3; round += 1) {
      await icons();
      await Promise.all(controlled.map(resize));
    }
  }

  // WebKit's icons are data URIs, which come one after the other: one of ours comes after those that have been asked for.
  let asked = 0;
  const icons = () => new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = resolve;
    image.src = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" id="a${asked += 1}"/>`;
  });

  async function resize(element) {
    const style = attribute(element, 'style');
    styleOf(element).setProperty('display', 'none', 'important');
    offstageDOM.rectangle(element);
    if (style === null) call(element, 'removeAttribute', 'style');
    else call(element, 'setAttribute', 'style', style);
    offstageDOM.rectangle(element);
    // Comes after the news of its size, which it was queued behind.
    await new Promise((resolve) => {
      call(element, 'addEventListener', 'ratechange', resolve, { once: true });
      offstageDOM.set(element, 'defaultPlaybackRate', get(element, 'defaultPlaybackRate') + 1);
    });
  }

  return { elements, posters, sources, unplayed, layOutControls };
})();
