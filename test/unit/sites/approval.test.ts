// What was approved is signed once, whatever becomes of the approval on the way.
import { createSign } from '../../../src/accounts/keys';
import type { WithPrivateKey } from '../../../src/accounts/keys';
import {
  createApproval,
  splitApproval,
  mapApproval,
} from '../../../src/sites/approval';
import { derivedRecord } from '../../support/records';

const used = 'An approval was used twice.';

describe('an approval', () => {
  it('gives what was approved once', () => {
    const approval = createApproval('content');
    expect(approval.use()).toBe('content');
    expect(() => approval.use()).toThrow(used);
  });

  it('is used up by a decision after it', () => {
    const approval = createApproval({ to: 'a', nonce: 1 });
    const settled = mapApproval(approval, (content) => ({ ...content, nonce: 2 }));
    expect(settled.use()).toStrictEqual({ to: 'a', nonce: 2 });
    expect(() => settled.use()).toThrow(used);
    expect(() => approval.use()).toThrow(used);
  });

  it('is split into one of each, and is used up then', () => {
    const approval = createApproval(['a', 'b']);
    const parts = splitApproval(approval);
    expect(parts.map((each) => each.use())).toStrictEqual(['a', 'b']);
    expect(() => parts[0]?.use()).toThrow(used);
    expect(() => approval.use()).toThrow(used);
  });

  it('lends the key once, though signing fails', async () => {
    let lent = 0;
    const withPrivateKey: WithPrivateKey = async (_record, use) => {
      lent += 1;
      return Promise.resolve(use(new Uint8Array(32)));
    };
    const sign = createSign(derivedRecord(), withPrivateKey);
    const approval = createApproval('content');
    const failing = (): never => {
      throw new Error('No.');
    };
    await expect(sign(approval, failing)).rejects.toThrow('No.');
    await expect(sign(approval, (content) => content)).rejects.toThrow(used);
    expect(lent).toBe(1);
  });
});
