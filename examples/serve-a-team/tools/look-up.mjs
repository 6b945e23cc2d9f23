const TERMS = { lamp: 'The light at the top.', keeper: 'The person who tends it.' }
const [word = ''] = process.argv.slice(2)
console.log(Object.hasOwn(TERMS, word) ? TERMS[word] : `"${word}" is not in the list.`)
