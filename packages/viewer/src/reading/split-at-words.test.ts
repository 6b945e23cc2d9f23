import { expect, test } from 'vitest'
import { findWords, splitAtWords } from './split-at-words.ts'

test('whole words are found, whatever their case and the characters around them', () => {
  const terms = findWords('Lamp, HÄUSER lamp')
  expect([...terms]).toEqual(['lamp', 'häuser'])
  expect(splitAtWords('lamp lamps (Lamp)Häuser!', terms)).toEqual([
    { text: 'lamp', isWord: true },
    { text: ' lamps (', isWord: false },
    { text: 'Lamp', isWord: true },
    { text: ')', isWord: false },
    { text: 'Häuser', isWord: true },
    { text: '!', isWord: false },
  ])
  expect(splitAtWords('lamp', findWords(' - '))).toEqual([{ text: 'lamp', isWord: false }])
})
