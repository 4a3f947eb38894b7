// What users do on our page and in our dialogs, and events that no user causes.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { tabNames } from '../../../src/handlers/home/place';
import { listElements } from '../../wallet/screen';
import { makeHex, makeName, makeText } from '../junk';
import type { Random } from '../random';
import type { FuzzRequest, Route } from '../route';

/** Names of controls that need not be shown. */
const names: readonly string[] = [
  ...['approve', 'approve:1', 'approve:2', 'approve:x', 'refuse', 'tollkeeper_poll'],
  ...['page:1:1', 'page:0:2', 'page:999999999:1', 'page:-1:1'],
  ...['home.', 'home..', 'home.gas.', 'home.x.y'],
  ...tabNames.map((tab) => `home.frame.tab:${tab}`),
  ...[
    'home.frame.page:-1',
    'home.frame.page:1e9',
    'home.frame.page:x',
    'home.frame.back',
  ],
  ...['home.accounts.step:create', 'home.accounts.step:import', 'home.accounts.step:x'],
  ...['home.accounts.submit', 'home.accounts.show:x'],
  ...['home.accounts.delete', 'home.accounts.export', 'home.accounts.ask:export'],
  ...['home.activity.speedUp:0x', 'home.activity.cancel:x', 'home.activity.details:'],
  ...['home.requests.approve:x', 'home.requests.reject:', 'home.sites.revoke:x'],
  ...['home.sites.revokeOne:x y', 'home.sites.revokeOne:', 'home.settings.add'],
  ...['home.settings.edit:eip155:1', 'home.settings.edit:x', 'home.settings.saveChain'],
  ...[
    'home.settings.submit:add',
    'home.settings.submit:chain',
    'home.settings.submit:save',
  ],
  ...['home.settings.test:rpcUrl', 'home.settings.askRemove:x', 'home.settings.save'],
  ...['home.__proto__.x', 'home.accounts.__proto__', 'home.accounts.constructor:x'],
];

/** Users on the home page. */
export const userInput: Route = {
  name: 'user input',
  share: 10,
  make: (random, { page }) => {
    const id = random.chance(0.95) ? page.id : makeText(random);
    return makeInput(random, id, page.content);
  },
};

/** Make an event of an interface. */
export function makeInput(
  random: Random,
  id: string,
  content: () => JSXElement,
): FuzzRequest {
  const event = makeEvent(random, content);
  const context = random.pick<Json>([null, {}, { tab: 'x' }, { tab: 'gas', page: -1 }]);
  return {
    handler: 'onUserInput',
    origin: 'metamask',
    request: { method: ' ', params: { id, event, context } },
  };
}

function makeEvent(random: Random, content: () => JSXElement): Json {
  const elements = listElements(content()).map(({ element }) => element);
  const shown = elements.flatMap(({ props }) =>
    'name' in props && typeof props.name === 'string' ? [props.name] : [],
  );
  const name = makeControl(random, shown);
  const type = random.pick(Object.values(UserInputEventType));
  if (type === UserInputEventType.ButtonClickEvent || random.chance(0.3)) {
    const click = { type: UserInputEventType.ButtonClickEvent };
    return random.chance(0.98) ? { ...click, name } : click;
  }
  if (type === UserInputEventType.FileUploadEvent) {
    return { type, name, file: random.chance(0.8) ? makeFile(random) : null };
  }
  if (type === UserInputEventType.InputChangeEvent) {
    return { type, name, value: makeValue(random) };
  }
  const fields = [...shown, makeName(random)].filter(() => random.chance(0.7));
  const value = Object.fromEntries(fields.map((field) => [field, makeField(random)]));
  return { type, name, value };
}

function makeControl(random: Random, shown: readonly string[]): string {
  if (shown.length > 0 && random.chance(0.6)) return random.pick(shown);
  const name = random.pick(names);
  return random.chance(0.8) ? name : name + makeText(random).slice(0, 100);
}

// The kinds of values that the platform lets pass.
function makeValue(random: Random): Json {
  const ways: readonly (() => Json)[] = [
    () => makeText(random),
    () => makeText(random),
    () => random.chance(0.5),
    () => null,
    () => `0x${makeHex(random, 64)}`,
    () => random.pick(['eip155:eoa', 'eip155:erc4337', 'eip155:1', '0.7', '1', 'high']),
    () => ({
      accountId: makeText(random),
      addresses: [`eip155:1:0x${makeHex(random, 40)}`],
    }),
  ];
  return random.pick(ways)();
}

function makeField(random: Random): Json {
  return random.chance(0.1) ? makeFile(random) : makeValue(random);
}

function makeFile(random: Random): Json {
  const contents = random.chance(0.5) ? makeText(random) : 'eyJ2ZXJzaW9uIjozfQ==';
  const size = random.pick([0, -1, 1e9, contents.length]);
  return { name: makeText(random), size, contentType: 'application/json', contents };
}
