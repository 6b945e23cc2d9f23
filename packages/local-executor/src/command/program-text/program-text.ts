import type { Template } from '../template.ts'

/** A word that a value must not be part of. */
export interface ProgramText {
  /** Of the word in the command. */
  readonly index: number
  /** Why, and what to write instead. */
  readonly reason: string
}

/** A word of a command, as far as it is the same for every call. */
export interface Word {
  readonly index: number
  /** The text before the first placeholder; all of it where there is none. */
  readonly lead: string
  readonly isFixed: boolean
}

export function toWord({ parts }: Template, index: number): Word {
  const first = parts.findIndex((part) => typeof part !== 'string')
  const lead = parts
    .slice(0, first === -1 ? undefined : first)
    .filter((part) => typeof part === 'string')
    .join('')
  return { index, lead, isFixed: first === -1 }
}

/** `/usr/bin/python3.12` and `Python.exe` are `python`. */
export function nameOf({ lead, isFixed }: Word): string {
  if (!isFixed) return ''
  const file = lead.slice(Math.max(lead.lastIndexOf('/'), lead.lastIndexOf('\\')) + 1)
  const name = file.replace(/\.exe$/i, '').replace(/[-.]?\d[\d.]*(?:-\w+)?$/, '')
  return name === 'R' || name === 'Rscript' ? name : name.toLowerCase()
}
