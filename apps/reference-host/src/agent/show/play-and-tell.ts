import { ConversationConflict, ModelError, type TurnEnd } from '@toolblocks/agent'
import type { ShownTurn } from './show-turn.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { EXIT } from '../../exit-codes.ts'

/** Plays a turn and tells why it did not end well; everything that happened is kept. */
export async function playAndTell(
  terminal: Terminal,
  view: ShownTurn,
  play: (show: ShownTurn['show']) => Promise<TurnEnd>,
): Promise<number> {
  try {
    return tellEnd(terminal, await play(view.show).finally(view.finish))
  } catch (error) {
    if (error instanceof ConversationConflict)
      terminal.complain('error', `${error.message} --resume ${error.conversation} does that.`)
    else if (error instanceof ModelError)
      terminal.complain('error', `the model did not answer: ${error.message}`)
    else throw error
    return EXIT.failed
  }
}

function tellEnd(terminal: Terminal, end: TurnEnd): number {
  switch (end) {
    case 'rests':
      return EXIT.ok
    case 'aborted':
      terminal.note(terminal.style.dim('Stopped. What was done is kept; half an answer is not.'))
      return EXIT.cancelled
    case 'cut':
      terminal.complain(
        'error',
        'three messages of the model were cut, and none of their calls could be made; the turn was ended',
      )
      return EXIT.failed
    case 'too-long':
      terminal.complain('error', 'the model goes on calling tools; the turn was ended')
      return EXIT.failed
  }
}
