// What @metamask/utils takes of lodash, as published, without the rest of its 220 kB.
import memoize from 'lodash-es/memoize.js';

// oxlint-disable-next-line import/no-default-export -- The form in which it is imported.
export default { memoize };
