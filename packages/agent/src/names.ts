/** The name of the tool by which a model delegates work to an agent. */
export const DELEGATE = 'delegate'
