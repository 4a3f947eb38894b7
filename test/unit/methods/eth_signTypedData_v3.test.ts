import type { Json } from '@metamask/utils';

import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { mailOf, signMail } from '../../support/typed-data';
import { writeView } from '../../support/view';

type Bench = SignBench & {
  address: string;
  signParams: (params: Json, scope?: bigint) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  const asked = { account: id, method: 'eth_signTypedData_v3' };
  return {
    ...bench,
    address,
    signParams: (params, scope) =>
      bench.sign({ ...asked, params, ...(scope === undefined ? {} : { scope }) }),
  };
}

describe('eth_signTypedData_v3', () => {
  it('signs a document, or its JSON text, with its params in either order', async () => {
    const { signParams, owner, address } = await setup();
    const signature = await signMail(owner, 1n);
    for (const data of [mailOf(1), JSON.stringify(mailOf(1))]) {
      expect(await signParams([address, data], 1n)).toBe(signature);
      expect(await signParams([data, address])).toBe(signature);
    }
  });

  it('asks the user, and shows what is signed', async () => {
    const { signParams, address, consents } = await setup();
    await signParams([address, mailOf(1)]);
    const view = writeView(consents.asked);
    expect(view).toContain('Ether Mail: Mail');
    expect(view).toContain('Hello, Bob!');
  });

  it('refuses a domain of another chain than the scope, and names both', async () => {
    const { signParams, address } = await setup();
    expect(await refusalOf(signParams([address, mailOf(5)], 1n))).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:1, but its content is for eip155:5.',
    });
  });

  it('refuses arrays, with the path', async () => {
    const { signParams, address, consents } = await setup();
    const types = { Mail: [{ name: 'to', type: 'address[]' }] };
    const document = { types, primaryType: 'Mail', domain: {}, message: { to: [] } };
    expect(await refusalOf(signParams([address, document]))).toStrictEqual({
      code: -32602,
      message:
        'eth_signTypedData_v3: params[1].types.Mail[0].type is an array: ' +
        'only eth_signTypedData_v4 has these.',
    });
    expect(consents.asked).toHaveLength(0);
  });
});
