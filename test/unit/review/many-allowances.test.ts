// Who may take what is never left out: allowances that have no card of their own are a danger that
// names them.
import { encodeFunctionData, numberToHex, parseAbi } from 'viem';

import { decodeDocument } from '../../../src/review/documents';
import { readCall } from '../../../src/review/read';
import { warnOfAllowances } from '../../../src/review/screen/calls';
import { TypedDataConfirmation } from '../../../src/review/screen/document';
import { permitBatch } from '../../fixtures/trust/more-shapes';
import { translate } from '../../support/view';

const ACCOUNT = '0x1111111111111111111111111111111111111111';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const SPENDER = '0x2222222222222222222222222222222222222222';

const tokens = Array.from({ length: 22 }, (_, index) =>
  numberToHex(0xabcdef0000 + index, { size: 20 }),
);

const list = [SPENDER, ...tokens.slice(20)].join(', ');

it('are a danger in a document', () => {
  const details = tokens.map((token) => ({
    token,
    amount: '1',
    expiration: 1,
    nonce: 0,
  }));
  const typed = decodeDocument(permitBatch({}, { details, spender: SPENDER }));
  const { dangers } = TypedDataConfirmation({
    translate,
    origin: 'https://dapp.example',
    account: ACCOUNT,
    chainId: 1n,
    typed,
    warnings: [],
  });
  expect(dangers).toStrictEqual([translate('alert.notShown', { addresses: list })]);
});

it('are a danger in a call', () => {
  const data = encodeFunctionData({
    abi: parseAbi([
      'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
      'struct Batch { Details[] details; address spender; uint256 sigDeadline; }',
      'function permit(address owner, Batch permitBatch, bytes signature)',
    ]),
    args: [
      ACCOUNT,
      {
        details: tokens.map((token) => ({
          token,
          amount: 1n,
          expiration: 1,
          nonce: 0,
        })),
        spender: SPENDER,
        sigDeadline: 1n,
      },
      '0x',
    ],
  });
  const call = readCall({ from: ACCOUNT, to: PERMIT2, value: 0n, data });
  expect(warnOfAllowances([call])).toMatchObject([
    { key: 'alert.notShown', severity: 'danger', values: { addresses: { list } } },
  ]);
});
