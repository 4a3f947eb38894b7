// Stands in for lodash in the client's module: @metamask/utils takes its memoize, and
// nothing else of the 220 kB.

const memoize = (/** @type {(argument: unknown) => unknown} */ compute) => {
  const known = new Map();
  return (/** @type {unknown} */ argument) => {
    if (!known.has(argument)) known.set(argument, compute(argument));
    return known.get(argument);
  };
};

// oxlint-disable-next-line import/no-default-export -- The form in which it is imported.
export default { memoize };
