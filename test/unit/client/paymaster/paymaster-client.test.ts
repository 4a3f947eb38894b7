import { formatUserOperationRequest } from 'viem/account-abstraction';

import {
  createHttpTransport,
  createPaymasterClient,
  createPaymasterEndpoint,
} from '../../../../src/client';
import { entryPoints, entryPointVersions } from '../../../../src/eth/entry-point';
import { plain, sponsored, toOurs, toViem } from '../../../fixtures/eth/user-operation';
import {
  SERVICE_URL,
  answer06,
  answer07,
  createPaymasterBench,
  place06,
  place07,
} from '../../../support/bundler-bench';
import { errorOf, failureOf, toWholeText } from '../../../support/error-of';
import {
  answering,
  breaking,
  createFakeNetwork,
  inTurn,
} from '../../../support/fake-fetch';
import { without } from '../../../support/without';

const STUB = 'pm_getPaymasterStubData';
const DATA = 'pm_getPaymasterData';

describe("a paymaster's service", () => {
  it.each(entryPointVersions)(
    'is asked in the form of %s, unsigned',
    async (version) => {
      const { paymaster, node } = createPaymasterBench({ [STUB]: {} });
      const operation = toOurs({ ...sponsored, signature: '0x12' }, version);
      const context = { policyId: 'mine' };
      await errorOf(() =>
        paymaster.fetchStub(operation, { version, chainId: 31n, context }),
      );
      const form = without(
        formatUserOperationRequest(toViem(sponsored, version)) as {
          signature: unknown;
        },
        'signature',
      );
      const lower = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).toLowerCase());
      expect(node.calls.map(({ method }) => method)).toStrictEqual([STUB]);
      expect(lower(node.calls[0]?.params)).toStrictEqual(
        lower([form, entryPoints[version].entryPoint, '0x1f', context]),
      );
    },
  );

  it('is asked with an empty context if there is none', async () => {
    const { paymaster, node } = createPaymasterBench({ [DATA]: answer07 });
    await paymaster.fetchData(toOurs(plain, '0.7'), place07);
    expect(node.calls[0]?.params.slice(2)).toStrictEqual(['0x5', {}]);
  });

  it('is asked again after the connection broke', async () => {
    const network = createFakeNetwork();
    network.serve(
      SERVICE_URL,
      inTurn(breaking, answering({ id: 1, result: answer06 })),
    );
    const { fetch } = network;
    const paymaster = createPaymasterClient(
      createHttpTransport(createPaymasterEndpoint(SERVICE_URL), { fetch }),
    );
    const { isFinal } = await paymaster.fetchData(toOurs(plain, '0.6'), place06);
    expect(isFinal).toBe(true);
    expect(network.sent).toHaveLength(2);
  });

  it('has an address whose key no message shows', async () => {
    const key = 'k3y-of-the-user-0123456789abcdef';
    const network = createFakeNetwork();
    network.serve('https://pm.example', answering({}, 500));
    const url = `https://pm.example/v1/${key}?apikey=${key}`;
    const endpoint = createPaymasterEndpoint(url);
    const paymaster = createPaymasterClient(
      createHttpTransport(endpoint, {
        fetch: network.fetch,
        retry: { maxAttempts: 1 },
      }),
    );
    const error = await errorOf(() =>
      paymaster.fetchStub(toOurs(plain, '0.7'), place07),
    );
    expect(network.sent[0]?.url).toBe(url);
    expect(paymaster.label).toBe('https://pm.example/v1/[redacted]?[redacted]');
    expect(error.message).toContain(paymaster.label);
    expect(toWholeText(error)).not.toContain(key);
  });

  it('has an address that is one', async () => {
    expect((await failureOf(() => createPaymasterEndpoint('pm'))).message).toBe(
      'paymasterUrl must be an absolute URL with https, http, wss or ws.',
    );
  });
});
