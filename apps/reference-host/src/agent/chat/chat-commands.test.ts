import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { listCommands } from './chat-commands.ts'

const style = createTerminalStyle('none')

test('at 80 columns every command stands on one line', () => {
  expect(listCommands({ style, columns: 80 })).toMatchInlineSnapshot(`
    "  /tools       the tools that the model may call
      /model-view  show what the model receives of each result, or no longer
      /attach      FILE: goes with the next message, as it is now
      /undo        take the last turn back; it stays in the store
      /compact     give the model no results of earlier turns any more
      /help        this list
      /leave       end the chat, as Ctrl-D does"
  `)
})

test('at 40 columns what is said of a command goes on below itself', () => {
  expect(listCommands({ style, columns: 40 })).toMatchInlineSnapshot(`
    "  /tools       the tools that the model
                   may call
      /model-view  show what the model
                   receives of each result,
                   or no longer
      /attach      FILE: goes with the next
                   message, as it is now
      /undo        take the last turn back;
                   it stays in the store
      /compact     give the model no results
                   of earlier turns any more
      /help        this list
      /leave       end the chat, as Ctrl-D
                   does"
  `)
})

test('without a terminal nothing is wrapped', () => {
  expect(listCommands({ style, columns: Infinity })).toBe(listCommands({ style, columns: 80 }))
})
