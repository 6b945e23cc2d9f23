/** The name of the tool with which a model hands work over to an agent. */
export const DELEGATE = 'delegate'
