// Requests that projects have published as examples of their contracts, asked of who makes them:
// no other warnings appear.
import { hexToBigInt } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../../src/eth/typed-data';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { findWarnings } from '../../../src/review/findings';
import { readCall } from '../../../src/review/read';
import type { Warning } from '../../../src/ui/warnings';
import { cases } from '../../fixtures/published/requests.json';
import { ACCOUNT, context } from '../../fixtures/trust/document';

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

const find = ({ chainId, from, to, value, data, document }: Published): Warning[] => {
  const { message } = (document ?? { message: {} }) as TypedData;
  const account = (from ??
    message.owner ??
    message.holder ??
    message.from ??
    ACCOUNT) as Hex;
  if (document === undefined) {
    const call = { from: account, to: to as Hex, data: data as Hex };
    return findWarnings([readCall({ ...call, value: hexToBigInt(value as Hex) })]);
  }
  const place = { account, chains: [BigInt(chainId)], own: [account] };
  const now = Date.UTC(2026, 0);
  return findTypedWarnings(decodeDocument(document as TypedData), {
    ...context,
    ...place,
    now,
  });
};

it('warns of 19 of 300 published requests', () => {
  const counts: Record<string, number> = {};
  for (const { key, severity } of (cases as Published[]).flatMap(find)) {
    if (severity === 'info') continue;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(cases).toHaveLength(300);
  expect(counts).toStrictEqual({
    'alert.control': 4,
    // An operator of a whole collection.
    'alert.operator': 1,
    'alert.othersTokens': 3,
    'alert.unlimited': 3,
    'typed.everyChain': 1,
    'typed.farDeadline': 1,
    // A relayed transfer.
    'typed.innerCall': 1,
    'typed.unlimited': 5,
  });
});
