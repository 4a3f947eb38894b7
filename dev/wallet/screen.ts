// A snap's interface. The user's actions are sent to the snap as MetaMask's UI sends them.
import type {
  SnapController,
  SnapInterfaceController,
} from '@metamask/snaps-controllers';
import type { FormState, InterfaceState, SnapId, State } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { getJsxChildren, HandlerType } from '@metamask/snaps-utils';

import { words } from './base';

export type ScreenPorts = {
  snaps: SnapController;
  interfaces: SnapInterfaceController;
};

type Shown = ReturnType<SnapInterfaceController['getInterface']>;

export class Screen {
  #last: Shown;

  constructor(
    private readonly ports: ScreenPorts,
    readonly snapId: SnapId,
    readonly interfaceId: string,
  ) {
    this.#last = ports.interfaces.getInterface(snapId, interfaceId);
  }

  /** The current tree, or the last one before the interface closed. */
  get content(): JSXElement {
    return this.#read().content;
  }

  get text(): string {
    return toText(this.content);
  }

  /** The values of the fields, by name or by form and name. */
  get values(): InterfaceState {
    return this.#read().state;
  }

  /** Presses a button. A submit button also submits its form. Rejects if the snap fails to handle
   * the event. */
  async click(name: string): Promise<void> {
    const { element, form } = getElement(this.content, name);
    await this.#send({ type: 'ButtonClickEvent', name });
    const submits = 'type' in element.props && element.props.type === 'submit';
    if (form !== undefined && submits) await this.submit(form);
  }

  /** Types into, selects in, ticks or uploads to a field. */
  async fill(name: string, value: State): Promise<void> {
    const { element, form } = getElement(this.content, name);
    const state = this.values;
    this.ports.interfaces.updateInterfaceState(
      this.interfaceId,
      form === undefined
        ? { ...state, [name]: value }
        : { ...state, [form]: { ...(state[form] as FormState), [name]: value } },
    );
    await this.#send(
      element.type === 'FileInput'
        ? { type: 'FileUploadEvent', name, file: value }
        : { type: 'InputChangeEvent', name, value },
    );
  }

  async submit(form: string): Promise<void> {
    await this.#send({ type: 'FormSubmitEvent', name: form, value: this.values[form] });
  }

  #read(): Shown {
    try {
      this.#last = this.ports.interfaces.getInterface(this.snapId, this.interfaceId);
    } catch {
      // The interface is closed, so the last state remains.
    }
    return this.#last;
  }

  async #send(event: Record<string, unknown>): Promise<void> {
    const { snapId, interfaceId: id } = this;
    const { context } = this.#read();
    await this.ports.snaps.handleRequest({
      snapId,
      origin: 'metamask',
      handler: HandlerType.OnUserInput,
      request: { method: ' ', params: { event, id, context } },
    });
  }
}

type Found = { element: JSXElement; form?: string };

/** Props whose text is shown. Other props are names, colours, sizes and images. */
const SHOWN_PROPS = words(`
  title label content description address value extra placeholder error alt
`);

/** Elements whose children share a line. */
const INLINE = words(`
  Text Heading Bold Italic Link Button Option Radio
`);

/** Flattens a tree to its visible text, with one line per block. */
export function toText(node: JSXElement | string): string {
  if (typeof node === 'string') return node;
  const props: Record<string, unknown> = { ...node.props };
  const shown = SHOWN_PROPS.map((name) => props[name]).map((prop) =>
    typeof prop === 'string' || isElement(prop) ? toText(prop) : '',
  );
  const children = listChildren(node)
    .map(toText)
    .join(INLINE.includes(node.type) ? '' : '\n');
  return [...shown, children].filter((text) => text !== '').join('\n');
}

export function listElements(element: JSXElement, form?: string): Found[] {
  const inside = element.type === 'Form' ? element.props.name : form;
  const children = listChildren(element).filter((child) => typeof child !== 'string');
  return [
    { element, ...(inside !== undefined && { form: inside }) },
    ...children.flatMap((child) => listElements(child, inside)),
  ];
}

/** Gets a named element. Throws if it is missing or disabled. */
function getElement(content: JSXElement, name: string): Found {
  const named = listElements(content).filter(
    ({ element }) => 'name' in element.props && element.type !== 'Form',
  );
  const found = named.find(({ element }) => getName(element) === name);
  if (!found) {
    const names = named.map(({ element }) => getName(element)).join(', ');
    throw new Error(`The screen has no element named "${name}", only: ${names}.`);
  }
  if ('disabled' in found.element.props && found.element.props.disabled) {
    throw new Error(`The element "${name}" is disabled.`);
  }
  // A button outside of a form may name the form.
  const { props } = found.element;
  return 'form' in props && props.form ? { ...found, form: props.form } : found;
}

function listChildren(element: JSXElement): (JSXElement | string)[] {
  return getJsxChildren(element).filter(
    (child: JSXElement | string | null) => child !== null,
  );
}

function getName(element: JSXElement): unknown {
  return 'name' in element.props ? element.props.name : undefined;
}

function isElement(value: unknown): value is JSXElement {
  return typeof value === 'object' && value !== null && 'type' in value;
}
