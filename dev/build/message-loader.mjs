// Takes the messages out of the errors of micro-eth-signer's ERC-7730 engine, a tenth of it: nobody
// sees them, since what cannot be described is shown without.

const ERROR = /new Error\((?:`[^`]*`|'[^']*')\)/gu;

/** @param {string} source */
// oxlint-disable-next-line import/no-default-export -- The form in which webpack takes it.
export default function withoutMessages(source) {
  return source.replace(ERROR, 'new Error()');
}
