/** Where a command says what it does, and asks. */
export interface ProvisionIo {
  print(text: string): void;
  /** Asks the operator at the terminal, '' at the end of input; null if there is none. */
  ask: ((question: string) => Promise<string>) | null;
}

/** Whether the operator says yes; no where there is nobody to ask. */
export async function confirms({ ask }: Pick<ProvisionIo, 'ask'>, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask?.(question))?.trim() ?? '');
}
