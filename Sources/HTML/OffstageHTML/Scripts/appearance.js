// The source of a function that replaces media features in a text with constant conditions, regardless of WebKit's current
// values. `answers` has a value for each feature.
(answers) => (text) => text.replace(
  /\(\s*(prefers-(?:color-scheme|reduced-motion|contrast))\s*(?::\s*([\w-]+)\s*)?\)/gi,
  (_, feature, value) => {
    const answer = answers[feature.toLowerCase()];
    // Without a value, the feature asks whether any preference is set.
    const holds = value ? value.toLowerCase() === answer : answer !== 'no-preference';
    return holds ? '(min-width: 0px)' : '(max-width: 0px)';
  })
