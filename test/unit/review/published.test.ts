// Requests that projects have published as examples of their contracts. A danger is found in two of
// them: a relayed transfer, and an operator of a whole collection.
import { hexToBigInt } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../../src/eth/typed-data';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { findWarnings } from '../../../src/review/findings';
import { readCall } from '../../../src/review/read';
import type { Warning } from '../../../src/ui/warnings';
import { cases } from '../../fixtures/published/requests.json';

/** A call, or a document. */
type Published = {
  name: string;
  chainId: number;
  from?: string;
  to?: string;
  value?: string;
  data?: string;
  document?: unknown;
};

const ACCOUNT = '0x1111111111111111111111111111111111111111';

const find = ({ chainId, from, to, value, data, document }: Published): Warning[] => {
  const account = (from ?? ACCOUNT) as Hex;
  if (document === undefined) {
    const call = { from: account, to: to as Hex, data: data as Hex };
    return findWarnings([readCall({ ...call, value: hexToBigInt(value as Hex) })]);
  }
  return findTypedWarnings(decodeDocument(document as TypedData), {
    origin: 'https://app.example',
    account,
    chains: [BigInt(chainId)],
    now: Date.UTC(2026, 0),
    own: [account],
    known: [],
    operations: [],
  });
};

it('finds no danger in 298 of 300 published requests', () => {
  const found = (cases as Published[]).flatMap((each) =>
    find(each)
      .filter(({ severity }) => severity === 'danger')
      .map(({ key }) => `${each.name}: ${key}`),
  );
  expect(cases).toHaveLength(300);
  expect(found).toStrictEqual([
    'rarible/eip712-rarible-exchange-v2-meta-tx: Meta Transaction: typed.innerCall',
    'flyingtulip/calldata-PftNft: Approve pFT operator: alert.operator',
  ]);
});
