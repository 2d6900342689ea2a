/** The part of the platform's WebAssembly interface in use; TypeScript has it for browsers alone. */
declare namespace WebAssembly {
  class Memory {
    /** @param descriptor size in pages of 64 KiB. */
    constructor(descriptor: { initial: number });
    readonly buffer: ArrayBuffer;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }

  class Global {
    readonly value: number;
  }
}
