import { story } from './story.js';

const { CAST = '', PICTURE = '' } = process.env;
console.log(JSON.stringify(await story(JSON.parse(CAST), new Uint8Array(Buffer.from(PICTURE, 'base64')))));
