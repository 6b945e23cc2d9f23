import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { listCommands } from './chat-commands.ts'

const style = createTerminalStyle('none')

test('at 80 columns every command stands on one line', () => {
  expect(listCommands({ style, columns: 80 })).toMatchInlineSnapshot(`
    "  /tools       the tools that the model may call
      /model       the model that is asked; with a NAME, another one from now on
      /cost        the tokens that this conversation has taken
      /model-view  show what the model receives of each result, or no longer
      /attach      FILE: goes with the next message, as it is now
      /undo        take the last turn back; it stays in the store
      /compact     give the model no results of earlier turns any more
      /clear       begin a new conversation on an empty screen; this one stays
      /help        this list
      /exit        end the chat, as exit, quit and Ctrl-D do"
  `)
})

test('at 40 columns what is said of a command goes on below itself', () => {
  expect(listCommands({ style, columns: 40 })).toMatchInlineSnapshot(`
    "  /tools       the tools that the model
                   may call
      /model       the model that is asked;
                   with a NAME, another one
                   from now on
      /cost        the tokens that this
                   conversation has taken
      /model-view  show what the model
                   receives of each result,
                   or no longer
      /attach      FILE: goes with the next
                   message, as it is now
      /undo        take the last turn back;
                   it stays in the store
      /compact     give the model no results
                   of earlier turns any more
      /clear       begin a new conversation
                   on an empty screen; this
                   one stays
      /help        this list
      /exit        end the chat, as exit,
                   quit and Ctrl-D do"
  `)
})

test('without a terminal nothing is wrapped', () => {
  expect(listCommands({ style, columns: Infinity })).toBe(listCommands({ style, columns: 80 }))
})
