// Spenders are never left out: allowances that have no card of their own are a danger that
// names them.
import { numberToHex } from 'viem';

import { decodeDocument } from '../../../src/review/documents';
import { readCall } from '../../../src/review/read';
import { warnOfAllowances } from '../../../src/review/screen/calls';
import { TypedDataConfirmation } from '../../../src/review/screen/document';
import { dataOf } from '../../fixtures/trust/call';
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
  const signature =
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)';
  const details = tokens.map((token) => [token, 1n, 1, 0]);
  const data = dataOf(signature, ACCOUNT, [details, SPENDER, 1n], '0x');
  const call = readCall({ from: ACCOUNT, to: PERMIT2, value: 0n, data });
  expect(warnOfAllowances([call])).toMatchObject([
    { key: 'alert.notShown', severity: 'danger', values: { addresses: { list } } },
  ]);
});
