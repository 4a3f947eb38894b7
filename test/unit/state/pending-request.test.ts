import { PendingRequestStruct } from '../../../src/state/pending-request';
import { without } from '../../support/without';

const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

const request = { method: 'personal_sign', params: ['0x', '0x00'] };

const pending = {
  id: ID,
  account: ID,
  origin: 'metamask',
  scope: 'eip155:1',
  request,
  session: 0,
};

const isPending = (value: unknown): boolean => PendingRequestStruct.is(value);

describe('PendingRequestStruct', () => {
  it.each([
    pending,
    { ...pending, scope: '' },
    { ...pending, scope: 'eip155:0xaa36a7' },
    { ...pending, origin: 'https://dapp.example' },
    { ...pending, session: Number.MAX_SAFE_INTEGER },
    { ...pending, request: without(request, 'params') },
    { ...pending, request: { ...request, params: [] } },
    { ...pending, request: { ...request, params: { message: { deep: [null] } } } },
  ])('takes %j', (value) => {
    expect(isPending(value)).toBe(true);
  });

  it.each(Object.keys(pending))('needs %s', (field) => {
    expect(isPending(without(pending, field as keyof typeof pending))).toBe(false);
  });

  it.each([
    { ...pending, id: `${ID}0` },
    { ...pending, account: 7 },
    { ...pending, origin: 'o'.repeat(2_049) },
    { ...pending, scope: null },
    { ...pending, session: -1 },
    { ...pending, session: 0.5 },
    { ...pending, more: 1 },
    { ...pending, request: null },
    { ...pending, request: without(request, 'method') },
    { ...pending, request: { ...request, method: 'm'.repeat(65) } },
    { ...pending, request: { ...request, params: null } },
    { ...pending, request: { ...request, params: 'text' } },
    { ...pending, request: { ...request, params: undefined } },
    { ...pending, request: { ...request, more: 1 } },
  ])('refuses %j', (value) => {
    expect(isPending(value)).toBe(false);
  });
});
