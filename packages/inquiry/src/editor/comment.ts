const LONGEST = 300

/** Writes text from outside as one comment line, whatever line ends and controls are in it. */
export function comment(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return `// ${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}`
}
