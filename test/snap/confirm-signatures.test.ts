// The dialogs of what is signed and not sent: messages, sign-ins, typed data of each version.
import { getAddress, stringToHex } from 'viem';

import { findDomainChainId, parseTypedData } from '../../src/eth/typed-data';
import { decodeDocument, decodeEntries } from '../../src/review/documents';
import { decodeMessage } from '../../src/review/messages';
import { TypedDataConfirmation } from '../../src/review/screen/document';
import { MessageConfirmation } from '../../src/review/screen/message';
import { danger, info, warning } from '../../src/ui/warnings';
import type { Warning } from '../../src/ui/warnings';
import { permit } from '../fixtures/trust/shapes';
import { describeDialogs, SIGNATURE } from '../support/dialog-rows';
import type { DialogRow } from '../support/dialog-rows';
import { mailOf } from '../support/typed-data';
import { translate } from '../support/view';

/** A sign-in on a site, as {@link https://eips.ethereum.org/EIPS/eip-4361} has it. */
const signInOn = (origin: string, address: string): string =>
  [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    `${getAddress(address)}\n\nWelcome.\n\nURI: ${origin}`,
    'Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2020-01-01T00:00:00Z',
  ].join('\n');

/** Bytes that are no text. */
const BINARY = '0xc0ffee00ff80';

const ENTRIES = [{ name: 'Amount', type: 'uint32', value: '1337' }];

const message = (
  textOf: (origin: string, address: string) => string,
  warnings: readonly Warning[] = [],
): DialogRow => ({
  call: ({ eoa: { address } }, origin) => ({
    method: 'personal_sign',
    params: [stringToHex(textOf(origin, address)), address],
  }),
  view: ({ origin, account }) => {
    const text = textOf(origin, account);
    const bytes = new TextEncoder().encode(text);
    return MessageConfirmation({
      translate,
      origin,
      account,
      message: decodeMessage(bytes),
      warnings,
    });
  },
  result: SIGNATURE,
});

const typed = (
  version: 'v3' | 'v4',
  documentFor: (account: string) => object,
  warnings: readonly Warning[] = [],
): DialogRow => ({
  call: ({ eoa: { address } }) => ({
    method: `eth_signTypedData_${version}`,
    params: [address, JSON.stringify(documentFor(address))],
  }),
  view: (drawing) => {
    const { origin, account } = drawing;
    const data = parseTypedData(documentFor(account), 'data');
    const chainId = findDomainChainId(data, 'data');
    const decoded = decodeDocument(data);
    return TypedDataConfirmation({
      ...{ translate, origin, account, chainId, typed: decoded, warnings },
      // The node tells of nothing in the account.
      balances: new Map(decoded.allowances.map(({ token }) => [token, 0n])),
    });
  },
  result: SIGNATURE,
});

describeDialogs({
  'a message': message(() => 'hello'),
  'a message of several lines in markdown': message(
    () => '# title\n\n**bold** [a](https://b.example)',
  ),
  'bytes that are no text': {
    call: ({ eoa: { address } }) => ({
      method: 'personal_sign',
      params: [BINARY, address],
    }),
    view: ({ origin, account }) =>
      MessageConfirmation({
        translate,
        origin,
        account,
        message: decodeMessage(Buffer.from(BINARY.slice(2), 'hex')),
        warnings: [],
      }),
    result: SIGNATURE,
  },
  'a sign-in': message(signInOn),
  "another site's sign-in": message(
    (_origin, address) => signInOn('https://bank.example', address),
    [
      danger('siwe.otherDomain', {
        domain: 'bank.example',
        origin: 'https://dapp.example',
      }),
    ],
  ),
  'typed data': typed('v4', () => mailOf(1)),
  'typed data of version 3': typed('v3', () => mailOf(1)),
  'typed data for a chain that is not reached': typed('v4', () => mailOf(7), [
    danger('typed.foreignChain', { chain: { chain: 'eip155:7' } }),
  ]),
  'typed data of version 1': {
    call: ({ eoa: { address } }) => ({
      method: 'eth_signTypedData_v1',
      params: [ENTRIES, address],
    }),
    view: ({ origin, account }) =>
      TypedDataConfirmation({
        translate,
        origin,
        account,
        chainId: undefined,
        typed: decodeEntries(ENTRIES),
        warnings: [warning('typed.everyChain'), warning('warning.domain')],
      }),
    result: SIGNATURE,
  },
  'a permit without a limit': typed(
    'v4',
    (owner) => permit({ owner, value: String(2n ** 256n - 1n) }),
    [info('shape.permit'), warning('typed.unlimited')],
  ),
});
