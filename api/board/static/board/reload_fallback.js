// For a browser in which the board's module does not run: the page is loaded again, when it can be.
setInterval(function () {
  var state = document.getElementById("state");
  if (state && state.hasAttribute("data-state")) return;
  var asked = new XMLHttpRequest();
  asked.onload = function () {
    if (asked.status === 200) location.reload();
  };
  asked.open("GET", location.href);
  asked.send();
}, 30000);
