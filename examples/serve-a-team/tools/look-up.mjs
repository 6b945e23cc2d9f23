const WORDS = { lamp: 'The light at the top.', keeper: 'The person who tends it.' }
const [word = ''] = process.argv.slice(2)
console.log(Object.hasOwn(WORDS, word) ? WORDS[word] : `"${word}" is not in the list.`)
