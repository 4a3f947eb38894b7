// The permits and orders that an account signed here and that can still be used, with the way to
// end each where its contract has one. A section of a page.
import { Box, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { NotFoundError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import { isNever, isUnlimited } from '../eth/hex';
import { submitHome } from '../pipeline';
import { parse } from '../schema/parse';
import type { UsableDocument } from '../typed-data/signed';
import { AddressField, drawButton, drawRows } from '../ui/components';
import { toShownCount, toShownLine, toShownTime, toShownToken } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { findTokenUnit } from '../ui/tokens';
import { inform } from './tab';
import type { Action } from './tab';

/** Draws them, with a button for each that can be ended; nothing if there is none. */
export function drawSigned(
  signed: readonly UsableDocument[],
  translate: Translate,
): SectionElement | null {
  if (signed.length === 0) return null;
  return (
    <Section>
      <Text fontWeight="bold">{translate('signed.title')}</Text>
      {signed.map((each) => drawRow(each, translate))}
    </Section>
  );
}

/** Sends the call that ends a permit or an order, by the account that signed it and its hash. */
export const invalidateSigned: Action = async (
  { argument, translate },
  place,
  context,
) => {
  const { signedDocuments } = await context.store.read();
  const found = signedDocuments.find(
    ({ hash, account }) => `${account} ${hash}` === argument,
  );
  if (found?.cancel === undefined) {
    throw new NotFoundError('There is no such permit or order that a call ends.');
  }
  const { account, chain, contract: to, cancel: data } = found;
  const { address: from } = await context.keyring.getRecord(account);
  const scope = parse(chain, ChainIdStruct, 'chain');
  const params = [{ from, to, data, value: '0x0' }];
  await submitHome({ account, scope, method: 'eth_sendTransaction', params }, context);
  return inform(place, translate('delegation.sent'));
};

function drawRow(signed: UsableDocument, translate: Translate): BoxElement {
  const { account, hash, kind, contract, token, spender, origin, signedAt } = signed;
  const { market, others = 0, cancel, isKnown } = signed;
  return (
    <Box>
      <Text>{translate(`shape.${kind}`)}</Text>
      {isKnown ? null : <Text color="warning">{translate('signed.unknown')}</Text>}
      <AddressField label={translate('field.contract')} address={contract} />
      {token ? (
        <AddressField label={translate('signed.token')} address={token} />
      ) : null}
      {drawRows([['signed.amount', writeAmount(signed, translate)]], translate)}
      {others > 0 ? (
        <Text>
          {translate('list.more', { count: toShownCount(others, translate) })}
        </Text>
      ) : null}
      {spender ? (
        <AddressField label={translate('changes.spender')} address={spender} isWhole />
      ) : null}
      {drawRows(
        [
          ['field.expiry', writeDeadline(signed, translate)],
          ['field.origin', toShownLine(origin)],
          ['signed.signedAt', toShownTime(signedAt, translate)],
        ],
        translate,
      )}
      {cancel === undefined ? (
        <Text>{translate(kind === 'permit' ? 'signed.permit' : 'signed.noWay')}</Text>
      ) : (
        drawButton(
          `home.permissions.invalidate:${account} ${hash}`,
          market === 'seaport' ? 'signed.cancelAll' : 'signed.cancel',
          { translate, size: 'sm' },
        )
      )}
    </Box>
  );
}

// Of tokens whose unit is not known in their smallest unit.
function writeAmount(
  { chain, token, amount }: UsableDocument,
  translate: Translate,
): string | undefined {
  if (amount === undefined) return undefined;
  const number = BigInt(amount);
  if (isUnlimited(number)) return translate('changes.unlimited');
  const unit = findTokenUnit(chain, token ?? null);
  return unit ? toShownToken(number, unit, translate) : `${number}`;
}

function writeDeadline({ deadline }: UsableDocument, translate: Translate): string {
  const seconds = BigInt(deadline ?? '0x0');
  return seconds === 0n || isNever(seconds)
    ? translate('typed.noDeadline')
    : toShownTime(Number(seconds) * 1_000, translate);
}
