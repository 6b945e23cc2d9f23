/** One resource as a model was given it; appended to the conversation so that nothing is rendered anew. */
export interface Delivery {
  callId: string
  /** Index of the block in the result. */
  block: number
  /** Canonical. */
  uri: string
  sha256: string
  turn: number
  form: 'full' | 'cut' | 'reference'
}
