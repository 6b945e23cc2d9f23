import { countCharacters } from '@toolblocks/protocol'
import { joinsNeighbours, JOINING_CONTEXT } from './joining-characters.ts'
import { REPLACEMENT } from './odd-characters.ts'
import { beginsWithTag, flagOf } from './tagged-flags.ts'

/** Collects text; a joining character waits until it is known what follows. */
export interface TextWriter {
  write(text: string): void
  writeJoining(character: string): void
  /** What was collected. */
  take(): string
  /** What was collected, to the end; the writer is as new after it. */
  end(): string
}

/** Makes a writer for one stream of text. */
export function createTextWriter(): TextWriter {
  let output = ''
  /** The end of what was written, on which a joining character depends as well. */
  let before = ''
  let waiting = ''

  function write(text: string): void {
    if (text === '') return
    if (waiting !== '') writeWaiting(text)
    output += text
    const end = text.length < JOINING_CONTEXT ? before + text : text
    before = end.slice(-JOINING_CONTEXT)
  }

  function writeWaiting(after: string): void {
    const joins = !beginsWithTag(waiting) && joinsNeighbours(waiting, before, after)
    const shown = joins ? waiting : REPLACEMENT.repeat(countCharacters(waiting))
    waiting = ''
    write(shown)
  }

  /** Tags wait until they have made a flag, or cannot any more. */
  function writeTag(tag: string): void {
    if (waiting !== '' && !beginsWithTag(waiting)) writeWaiting(tag)
    waiting += tag
    const flag = flagOf(before, waiting)
    if (flag === 'none') writeWaiting('')
    if (flag !== 'whole') return
    const tags = waiting
    waiting = ''
    write(tags)
  }

  function take(): string {
    const taken = output
    output = ''
    return taken
  }

  return {
    write,
    writeJoining: (character) => {
      if (beginsWithTag(character)) return writeTag(character)
      if (waiting !== '') writeWaiting(character)
      waiting = character
    },
    take,
    end: () => {
      if (waiting !== '') writeWaiting('')
      before = ''
      return take()
    },
  }
}
