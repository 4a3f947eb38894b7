// The request with ethers: by its signer or provider where they have a word for it, else as
// it is.
import { print } from './print';
import { readMessage, readOne, readPayment, readTypedData } from './shapes';
import { toRequest, writeImports, writeProvider } from './snippet';
import type { Subject } from './snippet';

type Idiom = {
  /** What is imported beside the provider. */
  imports?: readonly string[];
  /** Whose signer is needed. */
  signer?: string;
  line: string;
};

type Write = (subject: Subject) => Idiom | undefined;

const byOne =
  (result: string, action: string): Write =>
  (subject) => {
    const one = readOne(subject);
    return one === undefined
      ? undefined
      : { line: `const ${result} = await provider.${action}(${print(one)});` };
  };

const idioms: Readonly<Record<string, Write>> = {
  personal_sign: (subject) => {
    const found = readMessage(subject);
    if (!found) return undefined;
    const { address, message, isBytes } = found;
    const text = isBytes ? `getBytes(${print(message)})` : print(message);
    return {
      imports: isBytes ? ['getBytes'] : [],
      signer: address,
      line: `const signature = await signer.signMessage(${text});`,
    };
  },
  eth_signTypedData_v4: (subject) => {
    const document = readTypedData(subject);
    if (!document) return undefined;
    const { address, domain, types, message } = document;
    const line =
      `const domain = ${print(domain)};\nconst types = ${print(types)};\n` +
      `const message = ${print(message)};\n\n` +
      'const signature = await signer.signTypedData(domain, types, message);';
    return { signer: address, line };
  },
  eth_sendTransaction: (subject) => {
    const payment = readPayment(subject);
    if (!payment) return undefined;
    const { from, ...transaction } = payment;
    const sent = print(transaction);
    return {
      signer: from,
      line: `const { hash } = await signer.sendTransaction(${sent});`,
    };
  },
  eth_sendRawTransaction: byOne('transaction', 'broadcastTransaction'),
  eth_getTransactionReceipt: byOne('receipt', 'getTransactionReceipt'),
  eth_getTransactionByHash: byOne('transaction', 'getTransaction'),
};

/** Write the request with ethers. */
export function writeEthers(subject: Subject): string {
  const { imports = [], signer, line } = findIdiom(subject) ?? toGeneric(subject);
  const signerLine =
    signer === undefined
      ? ''
      : `const signer = await provider.getSigner(${print(signer)});\n`;
  const importLines = writeImports({
    ethers: ['BrowserProvider', ...imports],
    'tollkeeper-snap/provider': ['createProvider'],
  });
  return (
    `${importLines}\n` +
    `const provider = new BrowserProvider(${writeProvider(subject)});\n` +
    `${signerLine}\n${line}\n`
  );
}

// An idiom stands for params of one shape; what was edited can have any.
function findIdiom(subject: Subject): Idiom | undefined {
  try {
    return idioms[subject.row.name]?.(subject);
  } catch {
    return undefined;
  }
}

function toGeneric(subject: Subject): Idiom {
  const { method, params } = toRequest(subject);
  return {
    line: `const result: unknown = await provider.send(${print(method)}, ${print(params)});`,
  };
}
