import { parametersOf, readShowable, type Rendition } from './graphic-rendition.ts'
import { changeOfGrounds, type Grounds } from './visible-letters.ts'

/** A colour sequence that may be shown. */
interface ShowableColor {
  /** As it is written. */
  parameters: string
  renditions: readonly Rendition[]
  change: Partial<Grounds>
}

/** Reads the parameters of `CSI … m`; undefined for one that is dropped whatever stands around it. */
export type ReadColor = (parameters: string) => ShowableColor | undefined

/** A text has few colours and many of each; one that has more is read anew each time. */
const MOST_KEPT = 256

/** Makes a reader that remembers what it has read. */
export function createColorReader(): ReadColor {
  const seen = new Map<string, ShowableColor | undefined>()
  return (parameters) => {
    const known = seen.get(parameters)
    if (known !== undefined || seen.has(parameters)) return known
    const color = readColor(parameters)
    if (seen.size < MOST_KEPT) seen.set(parameters, color)
    return color
  }
}

function readColor(parameters: string): ShowableColor | undefined {
  const renditions = readShowable(parameters)
  if (!renditions) return undefined
  return {
    parameters: parametersOf(renditions),
    renditions,
    change: changeOfGrounds(renditions),
  }
}
