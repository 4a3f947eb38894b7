// Provides the only lodash function that @metamask/utils uses, without the other 220 kB.
import memoize from 'lodash-es/memoize.js';

// oxlint-disable-next-line import/no-default-export -- @metamask/utils imports the default.
export default { memoize };
