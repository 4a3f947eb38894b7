// Takes the messages out of the errors of packages: they are never shown. What micro-eth-signer cannot
// describe is shown without; an error of the others is a fault here, which the snap reports in its
// own words.

const ERROR =
  /(new (?:Type|Range)?Error|EthereumJSErrorWithoutCode)\((?:`[^`]*`|'[^']*')\)/gu;

/** @param {string} source */
// oxlint-disable-next-line import/no-default-export -- The form in which webpack takes it.
export default function withoutMessages(source) {
  return source.replace(ERROR, '$1()');
}
