// How the servers are that tell fees: which are configured, how each answered last, and
// where the other chains' fees came from.
import { Box, CollapsibleSection, Heading } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import type { ServerAnswer } from '../../state/public-state';
import { Field } from '../components/Field';
import { toShownChain, toShownDuration } from '../format';
import type { TextKey, Translate } from '../i18n';
import { writeSource } from '../market-words';
import type { ShownSource } from '../market-words';

/** What is known of servers. */
export type ServersView = {
  translate: Translate;
  /** Undefined where it cannot be told, such as while the wallet is locked. */
  configured?:
    | {
        gas: boolean;
        node: boolean;
        socket: boolean;
        bundler: boolean;
        paymaster: boolean;
      }
    | undefined;
  gas?: ServerAnswer | undefined;
  node?: ServerAnswer | undefined;
  /** Where the fees of all chains came from, and how old they are. */
  inUse: readonly (ShownSource & { chain: string; ageMs: number })[];
  /** In ms since 1970. */
  now: number;
};

const kinds: Record<ServerAnswer['kind'], TextKey> = {
  ok: 'server.ok',
  limited: 'server.limited',
  quota: 'server.quota',
  denied: 'server.denied',
  unreachable: 'server.unreachable',
  failed: 'server.failed',
};

/** Draw the state of the servers. */
export function Servers(view: ServersView): BoxElement {
  const { translate, configured, gas, node, inUse, now } = view;
  const isKnown = configured !== undefined || gas !== undefined || node !== undefined;
  return (
    <Box>
      {isKnown ? <Heading size="sm">{translate('server.title')}</Heading> : null}
      {configured ? drawConfigured(configured, translate) : null}
      {gas ? (
        <Field
          label={translate('server.gasAnswer')}
          value={toAnswer(gas, now, translate)}
        />
      ) : null}
      {node ? (
        <Field
          label={translate('server.nodeAnswer')}
          value={toAnswer(node, now, translate)}
        />
      ) : null}
      {inUse.length > 0 ? drawInUse(inUse, translate) : null}
    </Box>
  );
}

function drawConfigured(
  { gas, node, socket, bundler, paymaster }: NonNullable<ServersView['configured']>,
  translate: Translate,
): BoxElement {
  const word = (isThere: boolean): string =>
    translate(isThere ? 'server.configured' : 'server.notConfigured');
  const ownNode = node || socket;
  return (
    <Box>
      <Field label={translate('server.gas')} value={word(gas)} />
      <Field
        label={translate('server.node')}
        value={translate(ownNode ? 'server.configured' : 'server.wallets')}
      />
      <Field label={translate('server.socket')} value={word(socket)} />
      <Field label={translate('server.bundler')} value={word(bundler)} />
      <Field label={translate('server.paymaster')} value={word(paymaster)} />
    </Box>
  );
}

function toAnswer(
  { kind, at, retryAt = 0 }: ServerAnswer,
  now: number,
  translate: Translate,
): string {
  const age = toShownDuration(Math.max(0, now - at), translate);
  const text = translate(kinds[kind], { age });
  if (retryAt <= now) return text;
  const wait = toShownDuration(retryAt - now, translate);
  return translate('server.retry', { text, wait });
}

function drawInUse(inUse: ServersView['inUse'], translate: Translate): BoxElement {
  return (
    <Box>
      <CollapsibleSection label={translate('server.inUse')}>
        {inUse.map((fees) => (
          <Field
            label={toShownChain(fees.chain, translate)}
            value={translate('server.sourceAge', {
              source: writeSource(fees, translate),
              age: toShownDuration(fees.ageMs, translate),
            })}
          />
        ))}
      </CollapsibleSection>
    </Box>
  );
}
