console.log(`Announced: ${process.argv[2]}`)
