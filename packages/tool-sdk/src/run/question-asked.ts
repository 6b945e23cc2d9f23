import type { InputRequest } from '@toolblocks/protocol'

/** Ends a run that needs an answer. Whoever catches it changes nothing: the call ends with the question all the same. */
export class QuestionAsked extends Error {
  override readonly name = 'QuestionAsked'
  readonly request: InputRequest

  constructor(request: InputRequest) {
    super(`the tool asks ${JSON.stringify(request.id)} and is started again with the answer`)
    this.request = request
  }
}
