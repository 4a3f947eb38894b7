// The home page of the whole snap, operated by a test.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { HOME } from '../../src/home/tab';
import type { HomePlace } from '../../src/home/tab';
import { createTestApp } from './test-app';
import { elementsOf, textsOf, warningsOf } from './view';

/** Name of the account type field in the forms that create and import accounts. */
export const KIND = 'home.accounts.kind';

export type HomeBench = Awaited<ReturnType<typeof openHome>>;

export async function openHome(first = createTestApp(), tab?: string) {
  const { edges } = first;
  const { id } = (await first.entry.onHomePage()) as { id: string };
  const page = (): JSXElement => edges.screens.get(id) as JSXElement;
  const input = async (event: UserInputEvent): Promise<void> =>
    bench.app.entry.onUserInput({ id, event, context: null });
  const bench = {
    /** The snap; a new one after {@link HomeBench.restart}. */
    app: first,
    id,
    page,
    texts: () => textsOf(page()),
    notices: () => warningsOf(page()),
    place: () => edges.screens.contexts.get(id) as HomePlace,
    click: async (name: string) => {
      assertPressable(name, page());
      await input({ type: UserInputEventType.ButtonClickEvent, name });
    },
    choose: async (name: string, value: string) =>
      input({ type: UserInputEventType.InputChangeEvent, name, value }),
    /** Chooses the account type in a form, which determines the form's other fields. */
    chooseKind: async (form: string, value: string) => {
      edges.screens.filled = { [form]: { [KIND]: value } };
      await input({ type: UserInputEventType.InputChangeEvent, name: KIND, value });
    },
    submit: async (name: string, values: Record<string, Json>) => {
      assertForm(name, values, page());
      edges.screens.filled = { [name]: values };
      const value = values as never;
      await input({ type: UserInputEventType.FormSubmitEvent, name, value });
    },
    /** Fires the page's scheduled background event. */
    wake: async (): Promise<void> => {
      edges.wakes.shift();
      const call = { jsonrpc: '2.0' as const, id: 1, method: HOME };
      await bench.app.entry.onCronjob({ request: { ...call, params: [id] } });
    },
    restart: (): void => {
      bench.app = createTestApp(edges);
    },
  };
  if (tab !== undefined) await bench.click(`home.frame.tab:${tab}`);
  return bench;
}

function assertForm(name: string, values: Record<string, Json>, page: JSXElement) {
  const form = elementsOf(page).find(
    ({ type, props }) => type === 'Form' && props.name === name,
  );
  if (!form) throw new Error(`There is no form ${name}.`);
  const fields = new Set(
    elementsOf(form.props.children).map(({ props }) => props.name),
  );
  const missing = Object.keys(values).find((field) => !fields.has(field));
  if (missing !== undefined) throw new Error(`${name} has no field ${missing}.`);
}

function assertPressable(name: string, page: JSXElement): void {
  const buttons = elementsOf(page).filter(({ type }) => type === 'Button');
  const found = buttons.find(({ props }) => props.name === name);
  if (!found) throw new Error(`There is no button ${name}.`);
  if (found.props.disabled === true) throw new Error(`${name} cannot be pressed.`);
}
