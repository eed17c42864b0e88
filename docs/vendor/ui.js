import {h, render, Fragment} from "preact";
import {useState, useEffect, useMemo, useRef, useCallback} from "preact/hooks";
import htm from "htm";
import {openDB} from "idb";
const html = htm.bind(h);
export {h, html, render, Fragment, useState, useEffect, useMemo, useRef, useCallback, openDB};
